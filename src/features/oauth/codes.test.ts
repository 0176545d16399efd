import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  authorization,
  authorize,
  createApplication,
  exchange,
  signIn,
} from '../../../test/support/applications.ts';
import { keepHouse } from '../../../test/support/housekeeping.ts';
import { manualClock } from '../../../test/support/limits.ts';
import { describeStorage } from '../../../test/support/runner/engines.ts';
import { useService } from '../../../test/support/service.ts';
import { type Database, sql } from '../../database/database.ts';
import { HOUR, MINUTE } from '../../lib/time.ts';
import { deleteOldCodes, MAX_CODES } from './queries.ts';

const CODES = sql('select hash from authorization_codes where session_id = $1');
const COUNTS = sql<{ codes: number; sessions: number }>(`
  select (select count(*) from authorization_codes) as codes, (select count(*) from sign_in_sessions) as sessions`);

describeStorage('stored codes', (engine) => {
  const clock = manualClock(Date.now());
  const environment = { RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_DOCUMENTS: 'off' };
  const service = useService(engine, { clock, environment });
  const { database } = service;

  async function start() {
    const application = await createApplication(service);
    const { session, headers } = await signIn(service, { clock });
    const getCode = async () => {
      clock.now++;
      return (await authorize(service, authorization(application), headers)).result.code!;
    };
    const count = async () => (await service.database.all(CODES, session.id)).length;
    const exchangeAll = async (codes: readonly string[]) => {
      const statuses = [];
      for (const code of codes) statuses.push((await exchange(service, application, { code })).status);
      return new Set(statuses);
    };
    return { getCode, count, exchangeAll };
  }

  test('a session has 20 codes at most, so that its end deletes few rows: the next one replaces the oldest', async () => {
    const { getCode, count, exchangeAll } = await start();
    const codes: string[] = [];
    for (let requests = 0; requests < 3 * MAX_CODES; requests++) {
      codes.push(await getCode());
      assert.ok((await count()) <= MAX_CODES);
    }
    assert.deepEqual(await exchangeAll(codes.splice(-MAX_CODES)), new Set([200]));
    assert.deepEqual(await exchangeAll(codes), new Set([400]));
    // Those that were used count, too.
    assert.equal(await count(), MAX_CODES);
    await getCode();
    assert.equal(await count(), MAX_CODES);
  });

  test('concurrent requests leave 20 codes of a session', async () => {
    const { getCode, count } = await start();
    await Promise.all(Array.from({ length: 2 * MAX_CODES }, getCode));
    assert.equal(await count(), MAX_CODES);
  });

  test('codes are deleted a minute after they have expired, in batches', async () => {
    const { getCode, count } = await start();
    const deleteBatch = () => database.transaction((tx) => deleteOldCodes(tx, clock.now, 2));
    clock.now += HOUR;
    while ((await deleteBatch()) > 0);
    for (let codes = 0; codes < 3; codes++) await getCode();
    clock.now += 2 * MINUTE - 2;
    assert.deepEqual([await deleteBatch(), await count()], [0, 3]);
    clock.now += 3;
    assert.deepEqual([await deleteBatch(), await count()], [2, 1]);
    assert.deepEqual([await deleteBatch(), await count()], [1, 0]);
  });

  test('housekeeping deletes the codes of sessions before the sessions, whose statement would delete them at once', async () => {
    const { getCode } = await start();
    for (let codes = 0; codes < 3; codes++) await getCode();
    clock.now += 12 * HOUR;
    let ended = 0;
    const transaction: Database['transaction'] = async (work) => {
      const before = (await database.get(COUNTS))!;
      const result = await database.transaction(work);
      const after = (await database.get(COUNTS))!;
      ended += before.sessions - after.sessions;
      if (after.sessions < before.sessions) assert.deepEqual(after.codes, before.codes);
      return result;
    };
    await keepHouse({ ...database, transaction }, { clock });
    assert.ok(ended > 0);
    assert.equal((await database.get(COUNTS))!.codes, 0);
  });
});
