import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { numberAllEvents } from '../../../../test/support/events.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, admin, useService } from '../../../../test/support/service.ts';
import { type ActionContext, COMMAND_LINE, runInContext } from '../../../callers/action-context.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { MINUTE } from '../../../lib/time.ts';
import { type NewEvent, recordEvent, recordEvents } from '../record-event.ts';

const NOW = Date.UTC(2026, 0, 10);
const CREDENTIAL = { ...COMMAND_LINE, actor: { type: 'administrator', id: newId(), name: 'CRM' } } as const;

interface ListedEvent {
  readonly type: string;
  readonly subject: string;
  readonly folded: { readonly events: number; readonly first_at: string; readonly last_at: string } | null;
}

describeOnSqlite('a list of events with fold=true', (engine) => {
  const service = useService(engine, { clock: () => NOW, monotonicClock: () => performance.now() });
  const database = () => service.database;

  const importUsers = async (count: number, now: number) => {
    const ids = Array.from({ length: count }, newId);
    for (let at = 0; at < count; at += 500)
      await runInContext(COMMAND_LINE, () =>
        database().transaction((tx) =>
          recordEvents(
            tx,
            ids.slice(at, at + 500).map((userId) => ({ type: 'user.created', userId, now: now + at })),
          ),
        ),
      );
  };
  const record = (event: Partial<NewEvent>, context: ActionContext = CREDENTIAL) =>
    runInContext(context, () =>
      database().transaction((tx) =>
        recordEvent(tx, { type: 'user.disabled', subject: `user:${newId()}`, now: NOW, ...event }),
      ),
    );
  const list = async (query: string) => {
    await numberAllEvents(database());
    const { status, body } = await service.api.get(`/api/v1/events?${query}`, admin);
    assert.equal(status, 200);
    return body as { readonly data: readonly ListedEvent[]; readonly next_cursor: string | null };
  };
  const summarize = ({ data }: { readonly data: readonly ListedEvent[] }) =>
    data.map(({ type, folded }) => [type, folded?.events ?? 1]);

  before(async () => {
    await record({ type: 'login.succeeded', actor: 'user', now: NOW });
    await importUsers(1_400, NOW + 1_000);
    await record({ type: 'login.succeeded', actor: 'user', now: NOW + 2_200 });
    await importUsers(947, NOW + 2_500);
    await record({ type: 'password.changed', actor: 'user', now: NOW + 5_000 });
  });

  test('an import is one event with its number and times, and events of others in between stay on their own', async () => {
    const page = await list('fold=true&limit=4');
    assert.deepEqual(summarize(page), [
      ['password.changed', 1],
      ['user.created', 2_347],
      ['login.succeeded', 1],
      ['login.succeeded', 1],
    ]);
    assert.equal(page.next_cursor, null);
    const { first_at, last_at } = page.data[1]!.folded!;
    assert.deepEqual([first_at, last_at], ['2026-01-10T00:00:01.000Z', '2026-01-10T00:00:03.000Z']);
    const within = `type=user.created&from=${first_at}&to=2026-01-10T00:00:03.001Z&limit=100`;
    let [count, cursor] = [0, ''];
    do {
      const { data, next_cursor } = await list(`${within}${cursor}`);
      count += data.length;
      cursor = next_cursor === null ? '' : `&cursor=${next_cursor}`;
    } while (cursor !== '');
    assert.equal(count, 2_347, 'the times find the events again');
  });

  test('pages of folded events have every event once in both orders', async () => {
    for (const order of ['time', '-time']) {
      let [cursor, events] = ['', 0];
      for (let pages = 0; pages < 6; pages++) {
        const { data, next_cursor } = await list(`fold=true&limit=1&order=${order}${cursor}`);
        events += data.reduce((sum, { folded }) => sum + (folded?.events ?? 1), 0);
        if (next_cursor === null) break;
        cursor = `&cursor=${next_cursor}`;
      }
      assert.equal(events, 2_350);
    }
  });

  test('lists and exports without fold=true have each event, and so have CloudEvents', async () => {
    assert.deepEqual(summarize(await list('limit=2')), [
      ['password.changed', 1],
      ['user.created', 1],
    ]);
    const headers = { accept: 'application/cloudevents-batch+json' };
    const batch = await service.api.get('/api/v1/events?fold=true&limit=3', { token: ADMIN_TOKEN, headers });
    assert.equal(batch.body.length, 3);
    const file = await service.api.get('/api/v1/events/export', admin);
    assert.equal(file.text.trim().split('\n').length, 2_350);
  });

  test('events of other requests, types, people and times, failures and those of users are not folded', async () => {
    const from = NOW + 60 * MINUTE;
    const request = { ...CREDENTIAL, requestId: 'a' };
    await record({ now: from }, request);
    await record({ now: from + 1 }, request);
    await record({ now: from + 2 }, { ...CREDENTIAL, requestId: 'b' });
    await record({ now: from + 3, type: 'user.enabled' }, request);
    await record({ now: from + 4 }, { ...request, actor: { ...CREDENTIAL.actor, id: newId() } });
    await record({ now: from + 5, outcome: 'failure' }, request);
    await record({ now: from + 6, actor: 'user' }, request);
    await record({ now: from + 7, subject: 'settings' }, request);
    await record({ now: from + 2 * MINUTE }, request);
    const { data } = await list(`fold=true&from=${new Date(from).toISOString()}`);
    assert.deepEqual(
      data.map(({ folded }) => folded?.events ?? 1),
      [1, 1, 1, 1, 1, 1, 1, 2],
    );
  });
});
