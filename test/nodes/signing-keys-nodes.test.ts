/** Signing keys of two nodes that start at once on one database. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { listSigningKeys } from '../../src/features/people/tokens/signing-keys/queries.ts';
import { run } from '../support/processes/commands.ts';
import { describeOnPostgres } from '../support/runner/engines.ts';
import { type TestService, toEnvironment, useNodes } from '../support/service.ts';
import { insertLoggedInUser } from '../support/users.ts';

const environment = { PUBLIC_URL: 'https://id.example.com', JWT_AUDIENCES: 'orders' };
const KEY_CACHE_MS = 10_000;

describeOnPostgres('signing keys on two nodes of one PostgreSQL database', () => {
  const time = { elapsed: 0 };
  const nodes = useNodes({ environment, monotonicClock: () => time.elapsed });
  const [one, two] = nodes;

  const issue = async (node: TestService, token: string): Promise<string> => {
    const { status, body } = await node.api.post('/api/v1/tokens/jwt', undefined, { token });
    assert.equal(status, 200);
    return body.token;
  };
  const verify = (node: TestService, token: string) =>
    jwtVerify(token, createRemoteJWKSet(new URL(`${node.api.url}/.well-known/jwks.json`)));

  test('two nodes create one key at their first tokens, and each verifies tokens of the other', async () => {
    const { token } = await insertLoggedInUser(one.service.database);
    const issued = await Promise.all(
      Array.from({ length: 20 }, (_, index) => issue(index % 2 === 0 ? one : two, token)),
    );
    const keys = await listSigningKeys(one.service.database);
    assert.equal(keys.length, 1);
    for (const jwt of issued)
      for (const node of nodes) assert.equal((await verify(node, jwt)).protectedHeader.kid, keys[0]!.id);
  });

  test('a key that was revoked is neither used nor published by any node ten seconds later', async () => {
    const { token } = await insertLoggedInUser(one.service.database);
    const before = await issue(two, token);
    const environmentOfCommand = toEnvironment(one.testDatabase, environment);
    const { code, lines } = await run(['signing-keys', 'rotate', '--revoke-old'], environmentOfCommand);
    assert.equal(code, 0, lines.join('\n'));
    time.elapsed += KEY_CACHE_MS;
    for (const node of nodes) {
      await assert.rejects(verify(node, before), { code: 'ERR_JWKS_NO_MATCHING_KEY' });
      for (const other of nodes) await verify(node, await issue(other, token));
    }
  });
});
