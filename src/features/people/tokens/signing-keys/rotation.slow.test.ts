/** Two rotations of the signing keys, as those see them who verify tokens. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { manualClock } from '../../../../../test/support/limits.ts';
import {
  createCurrentDatabase,
  describeOnEachEngine,
  type TestDatabase,
} from '../../../../../test/support/runner/engines.ts';
import { startService, type TestService } from '../../../../../test/support/service.ts';
import { insertTestToken, insertTestUser } from '../../../../../test/support/users.ts';
import { createLog } from '../../../../lib/log/log.ts';
import { DAY, HOUR, MINUTE } from '../../../../lib/time.ts';
import { startHousekeeping } from '../../../../startup/housekeeping.ts';
import { deleteRemovedKeys, listSigningKeys } from './queries.ts';
import { createKeySeal, rotateKeysWhenDue } from './rotate-keys.ts';

const SECRET_KEY = 'a-secret-key-of-more-than-32-characters';
const ISSUER = 'https://id.example.com';
const AUDIENCE = 'orders';
const environment = { SECRET_KEY, PUBLIC_URL: ISSUER, JWT_AUDIENCES: AUDIENCE };
const keySeal = createKeySeal(SECRET_KEY);
/** Less the part of a second in which a token was issued: its times are whole seconds. */
const JWT_MS = 299_000;
const MAX_AGE_MS = 300_000;

/** Numbers between 0 and 1, the same in each run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Issued {
  readonly at: number;
  readonly token: string;
}

interface Fetched {
  readonly at: number;
  readonly set: JSONWebKeySet;
}

describeOnEachEngine('rotations of the signing keys', (engine) => {
  const clock = manualClock();
  let testDatabase: TestDatabase;
  let nodes: TestService[];
  /** One issues tokens, another publishes the keys, on an engine with several nodes. */
  const issuer = () => nodes[0]!;
  const publisher = () => nodes.at(-1)!;
  const database = () => issuer().service.database;
  const deps = () => ({ database: database(), clock, keySeal });

  before(async () => {
    testDatabase = await createCurrentDatabase(engine);
    nodes = [];
    for (let count = 0; count < (engine === 'sqlite' ? 1 : 2); count++)
      nodes.push(await startService(engine, { testDatabase, clock, environment }));
  });
  after(async () => {
    for (const node of nodes) await node.stop();
    await testDatabase.remove();
  });

  const logIn = async () => {
    const { id } = await insertTestUser(database());
    const expiresAt = clock.now + 3_650 * DAY;
    return (await insertTestToken(database(), id, { createdAt: clock.now, expiresAt })).token;
  };
  const issue = async (token: string): Promise<Issued> => {
    const { status, body } = await issuer().api.post('/api/v1/tokens/jwt', undefined, { token });
    assert.equal(status, 200);
    return { at: clock.now, token: body.token };
  };
  const fetchKeys = async (): Promise<Fetched> => {
    const { body } = await publisher().api.get('/.well-known/jwks.json');
    return { at: clock.now, set: body };
  };
  /** Verifies at the latest moment at which both the token and the copy of the key set may be used. */
  const verify = async (issued: Issued, fetched: Fetched) => {
    const at = Math.min(issued.at + JWT_MS, fetched.at + MAX_AGE_MS) - 1;
    await jwtVerify(issued.token, createLocalJWKSet(fetched.set), {
      ...{ issuer: ISSUER, audience: AUDIENCE, algorithms: ['ES256'] },
      currentDate: new Date(Math.max(at, issued.at, fetched.at)),
    });
  };
  const mayMeet = (issued: Issued, fetched: Fetched) =>
    issued.at < fetched.at + MAX_AGE_MS && fetched.at < issued.at + JWT_MS;

  test('over two rotations, every token that has not expired verifies with every key set that may still be cached', async () => {
    const random = createRandom(20);
    const token = await logIn();
    const start = clock.now;
    let issued: Issued[] = [];
    let fetched: Fetched[] = [];
    let nextRun = start;
    const kids = new Set<string>();
    let verifications = 0;
    while (clock.now < start + 61 * DAY) {
      if (clock.now >= nextRun) {
        await rotateKeysWhenDue(deps(), 'ES256');
        await database().transaction((tx) => deleteRemovedKeys(tx, clock.now));
        nextRun = clock.now + (54 + 12 * random()) * MINUTE;
      }
      const one = await issue(token);
      const set = await fetchKeys();
      issued = [...issued, one].filter(({ at }) => at > clock.now - 2 * JWT_MS);
      fetched = [...fetched, set].filter(({ at }) => at > clock.now - 2 * MAX_AGE_MS);
      for (const key of set.set.keys) kids.add(key.kid!);
      const pairs = [
        ...fetched.map((other) => [one, other] as const),
        ...issued.map((other) => [other, set] as const),
      ].filter(([token, keys]) => mayMeet(token, keys));
      for (const [token, keys] of pairs) await verify(token, keys);
      verifications += pairs.length;
      const changes = (await listSigningKeys(database())).flatMap((key) => [
        key.created_at,
        key.signs_from,
        key.signs_from + 30 * DAY,
        key.removed_at ?? key.created_at,
      ]);
      // In small steps around each change, the next housekeeping included.
      const isNear = changes.some((at) => Math.abs(at - clock.now) < 70 * MINUTE);
      const untilChange = Math.min(...changes.filter((at) => at > clock.now)) - HOUR - clock.now;
      clock.now += isNear ? 20_000 + Math.floor(200_000 * random()) : Math.min(6 * HOUR, untilChange);
    }
    assert.equal(kids.size, 3, 'the first key and two successors');
    assert.ok(verifications > 1_000, `${verifications}`);
    const [current, ...others] = await listSigningKeys(database());
    assert.deepEqual(others, [], 'the keys before were deleted');
    assert.ok(kids.has(current!.id));
  });

  test('a successor is in the key set an hour before it signs at least, and the housekeeping creates and deletes keys', async () => {
    const options = {
      clock,
      logger: createLog('silent'),
      settings: { current: { unclaimedUsersDays: 7, eventsDays: 180 } },
      rotateKeys: () => rotateKeysWhenDue(deps(), 'ES256'),
    };
    const housekeeping = startHousekeeping(database(), options);
    const [before] = await listSigningKeys(database());
    // Late by five days: nothing has run.
    clock.now = before!.signs_from + 35 * DAY;
    await housekeeping.run();
    const [old, next] = await listSigningKeys(database());
    assert.equal(next!.signs_from, clock.now + HOUR);
    assert.deepEqual([old!.signs_until, old!.removed_at], [next!.signs_from, next!.signs_from + 70 * MINUTE]);
    clock.now = next!.signs_from + 70 * MINUTE;
    await housekeeping.run();
    assert.deepEqual(
      (await listSigningKeys(database())).map(({ id }) => id),
      [next!.id],
    );
    await housekeeping.close();
  });
});
