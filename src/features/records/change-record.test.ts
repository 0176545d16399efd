/** What all records with a version have in common, over HTTP. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REDIRECT_URI } from '../../../test/support/applications.ts';
import { numberAllEvents } from '../../../test/support/events.ts';
import { pluck } from '../../../test/support/pluck.ts';
import { describeStorage } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';

const token = ADMIN_TOKEN;
/** A new record of each kind, a change of it, and the event of the change. */
const RECORDS = [
  {
    kind: 'webhook',
    path: '/api/v1/webhooks',
    body: { url: 'https://example.com/', types: ['users.exported'] },
    change: { description: 'Changed' },
    details: null,
  },
  {
    kind: 'application',
    path: '/api/v1/applications',
    body: { name: 'Wiki', kind: 'web', redirect_uris: [REDIRECT_URI] },
    change: { token_lifetime_days: 7 },
    details: { name: 'Wiki' },
  },
  {
    kind: 'identity_provider',
    path: '/api/v1/identity-providers',
    body: { name: 'GitHub', kind: 'github', client_id: 'frontdesk', client_secret: 'secret' },
    change: { enabled: false },
    details: { name: 'GitHub' },
  },
  {
    kind: 'group',
    path: '/api/v1/groups',
    body: { name: 'staff', title: 'Staff' },
    change: { title: 'All staff' },
    details: { name: 'staff' },
  },
] as const;

describeStorage('records with a version', (engine) => {
  let now = Date.UTC(2026, 0, 1);
  const service = useService(engine, { clock: () => now });

  for (const { kind, path: list, body, change, details } of RECORDS) {
    const create = async () => {
      const { status, text, body: created } = await service.api.post(list, body, { token });
      assert.equal(status, 201, text);
      return { path: `${list}/${created.data.id}`, subject: `${kind}:${created.data.id}` };
    };
    const patch = (path: string, changes: object, ifMatch?: string) =>
      service.api.patch(path, changes, {
        token,
        headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
      });
    const remove = (path: string, headers = {}) => service.api.delete(path, { token, headers });

    test(`PATCH of a record (${kind}) requires If-Match with the current version, raises it and is an event`, async () => {
      const { path, subject } = await create();
      const before = await service.api.get(path, { token });
      assert.equal((await patch(path, change)).body.code, 'precondition_required');
      for (const stale of ['"2"', 'W/"2"', '1'])
        assert.equal((await patch(path, change, stale)).body.code, 'precondition_failed', stale);
      assert.deepEqual((await service.api.get(path, { token })).body, before.body);
      now += 1_000;
      const { status, headers, body } = await patch(path, change, '"7", "1"');
      assert.deepEqual([status, headers.get('etag')], [200, '"2"']);
      const times = { updated_at: new Date(now).toISOString(), version: 2 };
      const { recent: _, pending: __, undelivered: ___, ...data } = before.body.data;
      assert.deepEqual(body.data, { ...data, ...change, ...times });
      assert.deepEqual((await patch(path, change, '*')).body, body, 'a change without effect');
      assert.equal((await remove(path, { 'if-match': '"1"' })).body.code, 'precondition_failed');
      assert.equal((await remove(path)).status, 204);
      await numberAllEvents(service.database);
      const recorded = await service.api.get(`/api/v1/events?subject=${subject}&order=time`, { token });
      assert.deepEqual(
        pluck(recorded.body.data, 'type'),
        ['created', 'updated', 'deleted'].map((name) => `${kind}.${name}`),
      );
      for (const event of recorded.body.data) assert.deepEqual(event.details, details, event.type);
      assert.deepEqual(pluck(recorded.body.data[1].changes, 'name'), Object.keys(change));
    });

    test(`PATCH of a record (${kind}) by three administrators at once succeeds for one of them`, async () => {
      const { path } = await create();
      const responses = await Promise.all([1, 2, 3].map(() => patch(path, change, '"1"')));
      assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 412, 412]);
      assert.equal((await remove(path)).status, 204);
    });

    test(`POST of a record (${kind}) with an Idempotency-Key creates one, whose response a repetition gets`, async () => {
      const request = { token, headers: { 'idempotency-key': kind } };
      const [first, again] = [
        await service.api.post(list, body, request),
        await service.api.post(list, body, request),
      ];
      assert.deepEqual([first.status, again.text], [201, first.text]);
      assert.equal((await remove(`${list}/${first.body.data.id}`)).status, 204);
    });
  }
});
