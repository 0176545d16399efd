/** The counters stay equal to what they count, whatever requests come, also at the same time and on two nodes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from '../src/database/database.ts';
import { issueToken } from '../src/features/people/tokens/issue-token.ts';
import { DAY, HOUR } from '../src/lib/time.ts';
import type { ApiResponse } from './support/api.ts';
import { keepHouse } from './support/housekeeping.ts';
import { keyed, newKey, readTally } from './support/keyed.ts';
import { describeStorage } from './support/runner/engines.ts';
import { admin, editor, hashAfter, newUserData, startService, type TestService } from './support/service.ts';
import { assertExactFigures } from './support/statistics/statistics.ts';
import { insertLoggedInUser } from './support/users.ts';

const KINDS = [
  'register',
  'login',
  'logout',
  'log out elsewhere',
  'create a token',
  'rotate a token',
  'create',
  'create as the administrator',
  'use a taken email',
  'disable',
  'enable',
  'erase',
  'issue many tokens',
  'housekeeping',
] as const;

interface Operation {
  readonly kind: (typeof KINDS)[number];
  /** Chooses the user and the node. */
  readonly choice: number;
}

interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  token: string;
}

describeStorage('counters', (engine) => {
  let now = Date.UTC(2026, 2, 31, 12);
  const clock = () => now;
  let nodes: TestService[];
  let beforeHash = async () => {};
  before(async () => {
    const first = await startService(engine, { clock, hashingPool: hashAfter(() => beforeHash()) });
    const { testDatabase } = first;
    // A SQLite file is served by one process.
    nodes =
      testDatabase.url === null ? [first] : [await startService(engine, { clock, testDatabase }), first];
  });
  after(async () => {
    for (const node of nodes) await node.stop();
  });

  function operations(
    people: Person[],
  ): Record<Operation['kind'], (choice: number) => Promise<ApiResponse | undefined>> {
    const api = (choice: number) => nodes[choice % nodes.length]!.api;
    const { database } = nodes[0]!.service;
    const person = (choice: number) => people[choice % people.length]!;
    const setState = (choice: number, state: string) => {
      const path = `/api/v1/users/${person(choice).id}`;
      return api(choice).patch(path, { state }, editor);
    };
    return {
      register: async (choice): Promise<undefined> => {
        const user = newUserData();
        const { status, headers, body } = await api(choice).post('/api/register', user, keyed(newKey()));
        assert.equal(status, 201);
        const id = headers.get('location')!.replace('/api/v1/users/', '');
        people.push({ ...user, id, token: body.access_token });
      },
      login: async (choice) => {
        const { email, password } = person(choice);
        const response = await api(choice).post('/api/login', { email, password });
        if (response.status === 200) person(choice).token = response.body.access_token;
        return response;
      },
      logout: (choice) => api(choice).post('/api/logout', undefined, person(choice)),
      'log out elsewhere': (choice) => api(choice).post('/api/logout', { scope: 'others' }, person(choice)),
      'create a token': (choice) => {
        const body = { name: 'CI', expires_in: 60 + choice * 1_000 };
        return api(choice).post('/api/v1/tokens', body, person(choice));
      },
      'rotate a token': async (choice) => {
        const { body } = await api(choice).get('/api/v1/tokens', person(choice));
        if (body.data === undefined) return undefined;
        const path = `/api/v1/tokens/${body.data.at(-1).id}/rotate`;
        const response = await api(choice).post(path, { overlap: choice * 1_000 }, person(choice));
        return response;
      },
      create: (choice) => api(choice).post('/api/v1/users', {}),
      'create as the administrator': (choice) => api(choice).post('/api/v1/users', newUserData(), admin),
      'use a taken email': async (choice) => {
        const { email } = person(choice);
        return api(choice).post(
          '/api/v1/users',
          { name: 'Other', email },
          { ...admin, ...keyed(newKey(), admin) },
        );
      },
      disable: (choice) => setState(choice, 'disabled'),
      enable: (choice) => setState(choice, 'active'),
      erase: (choice) => api(choice).delete(`/api/v1/users/${person(choice).id}`, admin),
      'issue many tokens': async (choice): Promise<undefined> => {
        const { id: userId } = await insertLoggedInUser(database, now);
        await database.transaction(async (tx) => {
          for (let count = 0; count < 51; count++) {
            await issueToken(tx, { userId, now: now + count, lifetimeSeconds: 600 * ((choice % 9) + count) });
          }
        });
      },
      housekeeping: async (choice): Promise<undefined> => {
        now += (choice % 5) * DAY + HOUR;
        await keepHouse(database, { clock });
      },
    };
  }

  test('counters equal the counted rows after any operations, four at the same time', async () => {
    const { database } = nodes[0]!.service;
    const people: Person[] = [];
    const execute = operations(people);
    for (let count = 0; count < 3; count++) await execute.register(0);
    const operation = fc.record({ kind: fc.constantFrom(...KINDS), choice: fc.nat(20) });
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 8, maxLength: 24 }), async (list) => {
        for (let index = 0; index < list.length; index += 4) {
          const concurrent = list.slice(index, index + 4);
          const results = await Promise.all(concurrent.map(({ kind, choice }) => execute[kind](choice)));
          for (const response of results) if (response) assert.ok(response.status < 500, response.text);
          await assertExactFigures(database);
        }
      }),
      { numRuns: 5 },
    );
  });

  test('counters are not changed by a transaction that is rolled back', async () => {
    const { database } = nodes[0]!.service;
    const { users, tokens } = await readTally(database);
    const work = database.transaction(async (tx) => {
      tx.count('users:active', 0, 1);
      tx.count('sign_ups', 1, 1);
      await tx.run(sql('insert into no_such_table (id) values (1)'));
    });
    await assert.rejects(work);
    const after = await readTally(database);
    assert.deepEqual([after.users, after.tokens], [users, tokens]);
    await assertExactFigures(database);
  });

  test('counters are not changed by a registration whose claim another attempt has taken over', async () => {
    const { api, service } = nodes.at(-1)!;
    const { database } = service;
    const { users, tokens } = await readTally(database);
    const steal = sql("delete from idempotency_keys where state = 'in_progress'");
    beforeHash = async () => assert.equal(await database.transaction((tx) => tx.run(steal)), 1);
    const registration = await api.post('/api/register', newUserData(), keyed(newKey()));
    assert.equal(registration.body.code, 'idempotency_key_in_use');
    const after = await readTally(database);
    assert.deepEqual([after.users, after.tokens], [users, tokens]);
    await assertExactFigures(database);
  });
});
