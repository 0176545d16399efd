import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { useSharedService } from '../../../../test/support/service.ts';
import { insertTestUser } from '../../../../test/support/users.ts';
import { DAY, HOUR } from '../../../lib/time.ts';
import { createLink, findLink } from './links.ts';
import { LINK_KINDS, type LinkKind } from './queries.ts';

/** As docs and messages state them. */
const LIFETIMES: Readonly<Record<LinkKind, number>> = {
  reset_password: HOUR,
  change_email: DAY,
  verify_email: 7 * DAY,
  claim_account: 7 * DAY,
};
const NOW = Date.UTC(2026, 0, 1);

describeOnSqlite('lifetime of links', (engine) => {
  const service = useSharedService(engine);

  for (const kind of LINK_KINDS) {
    test(`a link of the kind ${kind} is valid until the end of its lifetime, to the millisecond`, async () => {
      const { database } = service;
      const { id: userId, email } = await insertTestUser(database);
      const link = { kind, userId, email: email!, now: NOW };
      const token = await database.transaction((tx) => createLink(tx, link));
      const find = (now: number) => findLink(database, { token, kinds: [kind], now });
      assert.deepEqual(await find(NOW + LIFETIMES[kind] - 1), { kind, user_id: userId, email });
      await assert.rejects(find(NOW + LIFETIMES[kind]), { code: 'link_not_found' });
    });
  }
});
