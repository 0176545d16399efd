/** Every operation on a record that only the administrator can call: unknown ones, and a database that does not work. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../src/lib/secrets/ids.ts';
import { assertOutage, breakDatabase } from './support/processes/outage.ts';
import { routes } from './support/routes.ts';
import { describeOnSqlite } from './support/runner/engines.ts';
import { admin, editor, openService, useSharedService } from './support/service.ts';
import { insertLoggedInUser } from './support/users.ts';

const operations = routes.filter(({ access, path }) => access === 'admin' && path.includes('{id}'));

/** Bodies that are accepted for a record that exists; others may be empty. */
const BODIES: Readonly<Record<string, object>> = {
  'PATCH /api/v1/users/{id}': { name: 'Other' },
  'PUT /api/v1/users/{id}/password': { password: 'paper lantern under the bridge' },
  'POST /api/v1/users/{id}/links': { kind: 'reset_password' },
  'POST /api/v1/users/{id}/merge': { from: newId() },
  'POST /api/v1/webhooks/{id}/replay': { since_failing: true },
  'POST /api/v1/groups/{id}/users/batch': { add: [newId()] },
  'PUT /api/v1/forms/{id}': {
    title: 'Contact',
    fields: [{ label: 'name', type: 'text', is_required: true }],
  },
};

describeOnSqlite('operations of the administrator on an unknown record', (engine) => {
  const service = useSharedService(engine);

  for (const { method, path } of operations) {
    test(`${method} ${path} responds to an id that no record has with 404`, async () => {
      const kind = /(\w[\w-]*)\/\{id\}/.exec(path)![1]!.replace(/s$/, '').replace('-', '_');
      const body = BODIES[`${method} ${path}`] ?? (method === 'GET' ? undefined : {});
      for (const id of [newId(), 'nobody', '%00']) {
        const target = path.replace('{id}', id).replaceAll(/\{\w+\}/g, newId);
        const response = await service.api.request(method, target, { ...editor, body });
        assert.deepEqual([response.status, response.body.code], [404, `${kind}_not_found`], response.text);
      }
    });
  }
});

describeOnSqlite('a database error', (engine) => {
  test('a database error makes searches and lists fail with 503, and never look empty', async (context) => {
    const service = await openService(context, engine);
    const user = await insertLoggedInUser(service.database);
    const paths = ['', '?search=user', '?search=user&state=active', '?email=nobody@example.com']
      .map((query) => `/api/v1/users${query}`)
      .concat(`/api/v1/users/${user.id}/tokens`, `/api/v1/events?subject=user:${user.id}`);
    for (const path of paths) assert.equal((await service.api.get(path, admin)).status, 200);
    await breakDatabase(service.testDatabase);
    for (const path of paths) assertOutage(await service.api.get(path, admin));
    assertOutage(await service.api.get('/api/v1/me/events', { token: user.token }));
  });
});
