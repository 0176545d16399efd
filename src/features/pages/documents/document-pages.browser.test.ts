import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkView, useConsole } from '../../../../test/support/browser/console.ts';
import { useService } from '../../../../test/support/service.ts';

describe('the documents in a browser', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  // document-pages.slow.test.ts has all of them.
  test('documents have no violation that axe finds, fit 320 pixels, and mark themselves in the list of all', async (t) => {
    const { page } = await visit(t, '/docs/integrate', { isSignedIn: false });
    for (const name of ['integrate', 'operations', 'events']) {
      await page.goto(`/docs/${name}`);
      await checkView(page);
      const marked = page.getByRole('navigation', { name: 'All documents' }).locator('[aria-current=page]');
      assert.equal(await marked.getAttribute('href'), `/docs/${name}`);
    }
  });
});
