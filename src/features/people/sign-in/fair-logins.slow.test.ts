import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromIp, limited, manualClock } from '../../../../test/support/limits.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import {
  ADMIN_TOKEN,
  newUserData,
  openService,
  PRODUCTION_HASHES,
  type TestService,
  useService,
} from '../../../../test/support/service.ts';
import { until } from '../../../../test/support/until.ts';
import { register } from '../../../../test/support/users.ts';
import { PARAMETERS } from '../../../lib/passwords/password-parameters.ts';
import { DAY } from '../../../lib/time.ts';

/** Three more than fit: one that hashes and eight in the queue. Each further one would only be rejected more often. */
const FLOODING_CONNECTIONS = 12;
/** A quarter of the cost in production: enough for a queue to fill. */
const HASHES = { passwordParameters: { ...PARAMETERS, memoryCost: PARAMETERS.memoryCost / 4 } };
const UNLIMITED = { RATE_LIMITS: 'off', PASSWORD_THREADS: '1' };

interface Flood {
  /** Returns the address of an attempt: the number of the connection, and of its attempts. */
  readonly clientIp: (connection: number, attempt: number) => string;
  /** The account; without one, an unknown email. */
  readonly credentials?: { readonly email: string; readonly password: string };
  readonly work: () => Promise<void>;
}

const subnetOf48 = (connection: number, attempt: number) =>
  `2001:db8:66:${(connection * 256 + (attempt % 256)).toString(16)}::1`;
const ipv4 = (connection: number, attempt: number) => `10.${connection}.${attempt >> 8}.${attempt & 255}`;

/**
 * Keeps the queue full with logins from many addresses while `work` runs. A rejected connection goes on when
 * a place is free, because a loop of rejections would only keep the processor from hashing. Returns how often each
 * response came.
 */
async function flood(
  { api }: TestService,
  { clientIp, work, credentials = newUserData() }: Flood,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const { email, password } = credentials;
  let isOver = false;
  let placeIsFree = Promise.withResolvers<void>();
  const attack = async (_: unknown, connection: number) => {
    for (let attempt = 0; !isOver; attempt++) {
      const from = fromIp(clientIp(connection, attempt));
      const { status } = await api.post('/api/login', { email, password }, from);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 503) await placeIsFree.promise;
      else {
        placeIsFree.resolve();
        placeIsFree = Promise.withResolvers();
      }
    }
  };
  const attacks = Promise.all(Array.from({ length: FLOODING_CONNECTIONS }, attack));
  try {
    await until(() => statuses.has(503), 'the queue is full');
    await work();
  } finally {
    isOver = true;
    placeIsFree.resolve();
    await attacks;
  }
  return statuses;
}

describeOnEachEngine('logins during a flood from one /48', (engine) => {
  const service = useService(engine, limited({ ...UNLIMITED, PASSWORD_QUEUE: '8' }, HASHES));

  test('a flood of logins from one /48 blocks neither logins nor registrations from another network', async () => {
    const { api } = service;
    const { email, password } = await register(service);
    const work = async () => {
      for (let round = 0; round < 5; round++) {
        const [login, registration, created] = [
          await api.post('/api/login', { email, password }, fromIp('198.51.100.7')),
          await api.post('/api/register', newUserData(), fromIp('2001:db8:67::1')),
          await api.post('/api/v1/users', newUserData(), { ...fromIp('2001:db8:66::1'), token: ADMIN_TOKEN }),
        ];
        assert.deepEqual([login.status, registration.status, created.status], [200, 201, 201]);
      }
    };
    const statuses = await flood(service, { clientIp: subnetOf48, work });
    assert.deepEqual([...statuses.keys()].sort(), [401, 503]);
  });
});

describeOnEachEngine('logins during a flood from many IPv4 addresses', (engine) => {
  const clock = manualClock();
  const options = { ...HASHES, clock };
  const service = useService(engine, limited({ ...UNLIMITED, PASSWORD_QUEUE: '8' }, options));

  test('a flood of logins does not block logins and password changes from a network known for a day', async () => {
    const { api } = service;
    const { email, password } = await register(service);
    const from = fromIp('198.51.100.7');
    assert.equal((await api.post('/api/login', { email, password }, from)).status, 200);
    clock.now += DAY;
    const statuses: number[] = [];
    const work = async () => {
      for (let round = 0; round < 5; round++) {
        const login = await api.post('/api/login', { email, password }, from);
        const change = { current_password: password, password };
        const caller = { ...from, token: login.body.access_token };
        statuses.push(login.status, (await api.put('/api/v1/me/password', change, caller)).status);
      }
    };
    assert.deepEqual([...(await flood(service, { clientIp: ipv4, work })).keys()].sort(), [401, 503]);
    assert.deepEqual(statuses, Array(5).fill([200, 200]).flat());
  });
});

describeOnEachEngine('logins that would wait for too long', (engine) => {
  test('logins that would wait for too long are rejected with 503 and Retry-After, and others are served', async (context) => {
    const service = await openService(
      context,
      engine,
      limited({ ...UNLIMITED, PASSWORD_QUEUE: '1000', PASSWORD_MAX_WAIT_MS: '100' }, PRODUCTION_HASHES),
    );
    const { email, password } = await register(service);
    const responses = await Promise.all(
      Array.from({ length: 60 }, () => service.api.post('/api/login', { email, password })),
    );
    const rejected = responses.filter(({ status }) => status === 503);
    assert.ok(rejected.length > 0 && rejected.length < responses.length, `${rejected.length}`);
    for (const { headers } of rejected) assert.match(headers.get('retry-after')!, /^[1-9]\d*$/);
    const others = responses.filter(({ status }) => status !== 503);
    assert.deepEqual([...new Set(others.map(({ status }) => status))], [200]);
  });
});
