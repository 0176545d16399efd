import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openBrowser } from '../../../../test/support/browser/browser.ts';
import { checkAppearance } from '../../../../test/support/browser/link-pages.ts';
import { publishPage } from '../../../../test/support/form-pages.ts';
import { admin, useService } from '../../../../test/support/service.ts';

const LONG = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(4);

/** Pages by their heading; those of forms have the path of the form. */
const STATES: Readonly<Record<string, { members?: object; path?: string; isClosed?: true; sends?: true }>> = {
  'Das Formular ist noch nicht geöffnet': { members: { opens_at: '2999-01-01T00:00:00Z' } },
  'Das Formular ist geschlossen': { isClosed: true },
  'Öffnen Sie dieses Formular in der Anwendung': { members: { access: 'token' } },
  'Dieses Formular gibt es nicht': { path: '/f/x' },
  'Vielen Dank': { members: { thanks: { text: LONG } }, path: '/thanks' },
  'Ihre Antworten wurden schon gesendet': { path: '/thanks?again=1' },
  'In einem Rahmen': { members: { title: 'In einem Rahmen' }, path: '?embed=1', sends: true },
  [LONG]: {
    members: {
      title: LONG,
      description: LONG,
      fields: [
        { label: LONG.slice(0, 13).repeat(3), type: 'text', is_required: true, help: LONG },
        { label: 'options', type: 'text', is_required: true, title: LONG, options: [LONG, 'b'] },
        { label: 'many', type: 'text', is_required: true, options: [LONG, ...'abcdefgh'] },
        { label: 'tick', type: 'checkbox', is_required: true, title: LONG },
      ],
    },
    sends: true,
  },
};

describe('states of pages of forms in a browser', () => {
  const service = useService('sqlite');

  for (const [heading, { members, path = '', isClosed, sends }] of Object.entries(STATES)) {
    test(`the page of a form with the heading ${heading.slice(0, 42)} is accessible, and fits windows of 320 and 1280 pixels, light and dark`, async (context) => {
      const form = await publishPage(service, members);
      if (isClosed) await service.api.post(`${form.api}/close`, undefined, admin);
      const session = await (await openBrowser()).newContext({ locale: 'de' });
      context.after(() => session.close());
      const page = await session.newPage();
      await page.goto(service.api.url + (path.startsWith('/f/') ? path : form.page + path));
      assert.equal(await page.locator('h1').innerText(), heading);
      await checkAppearance(page, 'de');
      if (!sends) return;
      await page.getByRole('button').click();
      await page.locator('.notice').waitFor();
      await checkAppearance(page, 'de');
    });
  }
});
