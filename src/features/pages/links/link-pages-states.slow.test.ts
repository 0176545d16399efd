import { describe, test } from 'node:test';
import {
  CHECKS,
  checkState,
  FAILED,
  STATE_OPTIONS,
  STATES,
} from '../../../../test/support/browser/link-pages.ts';
import { openService, useService } from '../../../../test/support/service.ts';

describe('states of link pages in a browser', () => {
  const service = useService('sqlite', STATE_OPTIONS);

  for (const [name, state] of Object.entries(STATES)) {
    test(`the link page in state ${name} ${CHECKS}`, (context) => checkState(context, service, state));
  }

  test(`the link page in state failed ${CHECKS}`, async (context) => {
    // Of its own, because it cannot be used afterwards.
    const failing = await openService(context, 'sqlite');
    await checkState(context, failing, FAILED);
  });
});
