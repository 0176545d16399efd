import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkView, useConsole } from '../../../../test/support/browser/console.ts';
import { useService } from '../../../../test/support/service.ts';
import { DOCUMENT_NAMES } from './document-list.ts';

describe('the documents in a browser', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  test('each document has no violation that axe finds, fits 320 pixels, and marks itself in the list of all', async (t) => {
    const { page } = await visit(t, '/docs/integrate', { isSignedIn: false });
    for (const name of DOCUMENT_NAMES) {
      await page.goto(`/docs/${name}`);
      await checkView(page);
      const marked = page.getByRole('navigation', { name: 'All documents' }).locator('[aria-current=page]');
      assert.equal(await marked.getAttribute('href'), `/docs/${name}`);
    }
  });
});
