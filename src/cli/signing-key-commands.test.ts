import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { openTestDatabase } from '../../test/support/database.ts';
import { numberAllEvents } from '../../test/support/events.ts';
import { manualClock } from '../../test/support/limits.ts';
import { run } from '../../test/support/processes/commands.ts';
import { createCurrentDatabase, describeOnSqlite } from '../../test/support/runner/engines.ts';
import { admin, startService, toEnvironment, useService } from '../../test/support/service.ts';
import { insertLoggedInUser } from '../../test/support/users.ts';

const HOUR_MS = 3_600_000;
const KEY_CACHE_MS = 10_000;
const environment = { PUBLIC_URL: 'https://id.example.com', JWT_AUDIENCES: 'orders' };

interface ListedKey {
  readonly id: string;
  readonly state: string;
  readonly created_at: string;
  readonly signs_from: string;
  readonly signs_until: string | null;
  readonly removed_at: string | null;
}

describeOnSqlite('commands about signing keys', (engine) => {
  const time = manualClock(0);
  const service = useService(engine, { environment, monotonicClock: time });
  const runCommand = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    run(['signing-keys', ...args], toEnvironment(service.testDatabase, { ...environment, ...more }));
  const call = async (...args: string[]): Promise<ListedKey[]> => {
    const { code, stdout, lines } = await runCommand(args);
    assert.equal(code, 0, lines.join('\n'));
    assert.ok(!stdout.includes('private'));
    return JSON.parse(stdout);
  };
  const issue = async () => {
    const { token } = await insertLoggedInUser(service.database);
    const { status, body } = await service.api.post('/api/v1/tokens/jwt', undefined, { token });
    assert.equal(status, 200);
    return body.token as string;
  };
  const verify = (token: string) =>
    jwtVerify(token, createRemoteJWKSet(new URL(`${service.api.url}/.well-known/jwks.json`)));

  test('signing-keys rotate publishes a key that signs an hour later, and --revoke-old replaces all keys at once', async () => {
    assert.deepEqual(await call('list'), []);
    const issued = await issue();
    const [first] = await call('list');
    assert.partialDeepStrictEqual(first, { state: 'signing', signs_until: null, removed_at: null });

    const rotated = await call('rotate');
    assert.deepEqual(
      rotated.map(({ id, state }) => [id === first!.id, state]),
      [
        [true, 'signing'],
        [false, 'next'],
      ],
    );
    const [old, next] = rotated as [ListedKey, ListedKey];
    assert.equal(Date.parse(next.signs_from) - Date.parse(next.created_at), HOUR_MS);
    assert.equal(old.signs_until, next.signs_from);
    assert.equal(Date.parse(old.removed_at!) - Date.parse(old.signs_until!), HOUR_MS + 10 * 60_000);
    time.now += KEY_CACHE_MS;
    for (const token of [issued, await issue()])
      assert.equal((await verify(token)).protectedHeader.kid, first!.id);

    const [only, ...others] = await call('rotate', '--revoke-old');
    assert.deepEqual([others, only!.state], [[], 'signing']);
    time.now += KEY_CACHE_MS;
    await assert.rejects(verify(issued), { code: 'ERR_JWKS_NO_MATCHING_KEY' });
    assert.equal((await verify(await issue())).protectedHeader.kid, only!.id);
    await assertRecorded(next, only!);
  });

  async function assertRecorded(next: ListedKey, only: ListedKey): Promise<void> {
    await numberAllEvents(service.database);
    const path = '/api/v1/events?type=signing_key.rotated&order=time';
    const { body } = await service.api.get(path, admin);
    const actor = { type: 'administrator', id: null, name: 'command line', kind: 'command_line' };
    assert.deepEqual(
      body.data.map(({ actor, details }: { actor: object; details: object }) => ({ actor, details })),
      [
        { actor, details: { kid: next.id, signs_from: next.signs_from, revoked: false } },
        { actor, details: { kid: only.id, signs_from: only.signs_from, revoked: true } },
      ],
    );
  }

  test('signing-keys rotate rejects another SECRET_KEY than that of the service, which could not use the key', async () => {
    const SECRET_KEY = 'another-secret-key-of-more-than-32-characters';
    const { code, lines } = await runCommand(['rotate'], { SECRET_KEY });
    assert.equal(code, 1);
    assert.match(lines.join('\n'), /SECRET_KEY/);
  });

  test('after accept-secret-key, another key signs, and tokens of the one before can still be verified', async (context) => {
    const keys = [
      'a-first-secret-key-of-more-than-32-characters',
      'another-secret-key-of-more-than-32-characters',
    ];
    const [before, after] = keys.map((SECRET_KEY) => ({ ...environment, SECRET_KEY }));
    const testDatabase = await openTestDatabase(context, engine, createCurrentDatabase);
    const issueOn = async (settings: Readonly<Record<string, string>>) => {
      const node = await startService(engine, { testDatabase, environment: settings });
      const { token } = await insertLoggedInUser(node.service.database);
      const { status, body } = await node.api.post('/api/v1/tokens/jwt', undefined, { token });
      assert.equal(status, 200);
      return { node, jwt: body.token as string };
    };
    const first = await issueOn(before!);
    await first.node.stop();
    const { code, lines } = await run(['accept-secret-key'], toEnvironment(testDatabase, after));
    assert.equal(code, 0, lines.join('\n'));
    const second = await issueOn(after!);
    const set = createRemoteJWKSet(new URL(`${second.node.api.url}/.well-known/jwks.json`));
    const kids = [];
    for (const { jwt } of [first, second]) kids.push((await jwtVerify(jwt, set)).protectedHeader.kid);
    assert.equal(new Set(kids).size, 2);
    await second.node.stop();
  });
});
