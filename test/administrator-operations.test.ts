/** Every operation on a user that only the administrator can call: unknown users, and a database that does not work. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../src/lib/secrets/ids.ts';
import { assertOutage, breakDatabase } from './support/processes/outage.ts';
import { routes } from './support/routes.ts';
import { describeOnSqlite } from './support/runner/engines.ts';
import { ADMIN_TOKEN, admin, openService, useSharedService } from './support/service.ts';
import { insertLoggedInUser } from './support/users.ts';

const operations = routes.filter(
  ({ access, path }) => access === 'admin' && path.startsWith('/api/v1/users/') && path.includes('{id}'),
);

/** Bodies that are accepted for a user who exists. */
const BODIES: Readonly<Record<string, object>> = {
  PATCH: { name: 'Other' },
  PUT: { password: 'paper lantern under the bridge' },
  POST: { kind: 'reset_password' },
};

describeOnSqlite('operations of the administrator on an unknown user', (engine) => {
  const service = useSharedService(engine);

  for (const { method, path } of operations) {
    test(`${method} ${path} responds to an id that no user has with 404`, async () => {
      for (const id of [newId(), 'nobody', '%00']) {
        const body = path.endsWith('/merge') ? { from: newId() } : BODIES[method];
        const options = { token: ADMIN_TOKEN, body, headers: { 'if-match': '*' } };
        const response = await service.api.request(method, path.replace('{id}', id), options);
        assert.deepEqual(
          [response.status, response.body],
          [404, { error: 'User not found', code: 'user_not_found' }],
        );
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
