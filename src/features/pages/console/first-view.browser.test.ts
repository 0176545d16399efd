import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useConsole } from '../../../../test/support/browser/console.ts';
import { useService } from '../../../../test/support/service.ts';

const MAX_REQUESTS = 20;

describe('the first view of the console', () => {
  const visit = useConsole(useService('sqlite'));

  test('the console needs at most 20 requests until its first view is complete', async (t) => {
    const { context } = await visit(t, '/docs/console');
    const page = await context.newPage();
    const urls: string[] = [];
    page.on('request', (request) => urls.push(new URL(request.url()).pathname));
    await page.goto('/console');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.ok(urls.includes('/api/v1/admin/dashboard'));
    assert.ok(urls.length <= MAX_REQUESTS, urls.join('\n'));
  });
});
