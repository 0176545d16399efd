import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useConsole } from '../../../../test/support/browser/console.ts';
import { useSharedService } from '../../../../test/support/service.ts';

describe('the documents in a browser', () => {
  const service = useSharedService('sqlite');
  const visit = useConsole(service);

  test('documents mark themselves in the list of all', async (t) => {
    const { page } = await visit(t, '/docs/integrate', { isSignedIn: false });
    for (const name of ['integrate', 'operations']) {
      await page.goto(`/docs/${name}`);
      const marked = page.getByRole('navigation', { name: 'All documents' }).locator('[aria-current=page]');
      assert.equal(await marked.getAttribute('href'), `/docs/${name}`);
    }
  });
});
