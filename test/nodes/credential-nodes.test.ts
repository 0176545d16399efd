import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CREDENTIALS, createCredential, newCredentialName } from '../support/credentials.ts';
import { describeOnPostgres } from '../support/runner/engines.ts';
import { admin, useNodes } from '../support/service.ts';

const USERS = '/api/v1/users';

describeOnPostgres('credentials on two nodes of one PostgreSQL database', () => {
  const [one, two] = useNodes();

  test('no node accepts a credential after the response that has revoked it, while requests with it are under way', async () => {
    for (let round = 0; round < 5; round++) {
      const { secret, path } = await createCredential(one, ['users:read']);
      const requests = Array.from({ length: 40 }, async (_, index) => {
        const node = index % 2 === 0 ? one : two;
        const { status } = await node.api.get(USERS, { token: secret });
        assert.ok([200, 401].includes(status), `${status}`);
      });
      assert.equal((await two.api.delete(path, admin)).status, 204);
      for (const node of [one, two]) assert.equal((await node.api.get(USERS, { token: secret })).status, 401);
      await Promise.all(requests);
    }
  });

  test('a credential that is revoked on one node leaves no new credential behind on the other', async () => {
    for (let round = 0; round < 5; round++) {
      const { secret, path } = await createCredential(one, ['admin']);
      const [revoked, ...created] = await Promise.all([
        two.api.delete(path, admin),
        ...Array.from({ length: 4 }, () =>
          one.api.post(CREDENTIALS, { name: newCredentialName(), scopes: ['admin'] }, { token: secret }),
        ),
      ]);
      assert.equal(revoked.status, 204);
      for (const { status } of created) assert.ok([201, 401].includes(status), `${status}`);
      const late = await one.api.post(
        CREDENTIALS,
        { name: newCredentialName(), scopes: ['admin'] },
        { token: secret },
      );
      assert.equal(late.status, 401);
    }
  });
});
