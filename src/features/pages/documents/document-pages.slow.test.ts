import { describe, test } from 'node:test';
import { checkView, useConsole } from '../../../../test/support/browser/console.ts';
import { useService } from '../../../../test/support/service.ts';
import { DOCUMENT_NAMES } from './document-list.ts';

describe('all documents in a browser', () => {
  const visit = useConsole(useService('sqlite'));

  for (const name of DOCUMENT_NAMES) {
    test(`the document ${name} has no violation that axe finds, and fits 320 pixels`, async (t) => {
      const { page } = await visit(t, `/docs/${name}`, { isSignedIn: false });
      await checkView(page);
    });
  }
});
