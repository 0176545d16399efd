import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../src/database/open.ts';
import type { ApiResponse } from './support/api.ts';
import { createTestDatabase, describeOnEachEngine, type TestDatabase } from './support/engines.ts';
import { keyed, newKey, tallyOf } from './support/keyed.ts';
import { type ServiceProcess, startProcess } from './support/process.ts';
import { newPerson } from './support/service.ts';

const REGISTRATIONS = 100;
/** Without a password to hash, so that kills also meet the moments around the commit. */
const RECORDS_PER_REGISTRATION = 3;
const KILLS = 4;
const CLIENTS = 8;
const ATTEMPTS = 50;
/** Longer than a claim outlives its process. */
const DOWNTIME_MS = 31_000;
/** As long as a registration takes, so that a kill may meet each of its steps. */
const REGISTRATION_MS = 50;

/** Starts the program with its clock so much ahead, as if that time had passed. */
function startLater(testDatabase: TestDatabase, milliseconds: number): Promise<ServiceProcess> {
  const program = `const now = Date.now; Date.now = () => now() + ${milliseconds}`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(program)}`;
  return startProcess(testDatabase, { NODE_OPTIONS });
}

/** A service that can be killed and comes back, by its clock, after the leases that it left behind. */
function supervise(testDatabase: TestDatabase) {
  let kills = 0;
  const restart = async (before: Promise<ServiceProcess>) => {
    await (await before).kill('SIGKILL');
    return startLater(testDatabase, kills * DOWNTIME_MS);
  };
  const supervised = {
    service: startLater(testDatabase, 0),
    killAtRandomMoment: async () => {
      kills++;
      await pause(Math.random() * REGISTRATION_MS);
      supervised.service = restart(supervised.service);
    },
  };
  return supervised;
}

/** Undefined when the service died before it had answered. */
async function orLost(answer: Promise<ApiResponse>): Promise<ApiResponse | undefined> {
  try {
    return await answer;
  } catch (error) {
    // What fetch throws when a connection is refused or breaks.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

interface Job {
  readonly path: string;
  readonly body: ReturnType<typeof newPerson>;
  readonly key: string;
}

function newJobs(): Job[] {
  const job = (path: string) => ({ path, body: newPerson(), key: newKey() });
  const records = () => Array.from({ length: RECORDS_PER_REGISTRATION }, () => job('/api/v1/users'));
  return Array.from({ length: REGISTRATIONS }, () => [job('/api/register'), ...records()]).flat();
}

describeOnEachEngine('creations with a key, at a service that is killed again and again', (engine) => {
  test('are all carried out once, for clients that retry until they are answered', async (context) => {
    const testDatabase = await createTestDatabase(engine);
    context.after(() => testDatabase.remove());
    const supervised = supervise(testDatabase);
    const waiting = newJobs();
    const all = waiting.length;
    const answered: { job: Job; answer: ApiResponse }[] = [];
    let lost = 0;

    const sendUntilAnswered = async ({ path, body, key }: Job) => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const { api } = await supervised.service;
        const answer = await orLost(api.post(path, body, keyed(key)));
        if (answer === undefined) lost++;
        else if (answer.status === 201) return answer;
        // PostgreSQL may still be about to notice that the process is gone.
        else assert.equal(answer.body.code, 'idempotency_key_in_use', answer.text);
      }
      return assert.fail(`${body.email} was never answered`);
    };
    const kills: Promise<void>[] = [];
    const client = async () => {
      for (let job = waiting.pop(); job !== undefined; job = waiting.pop()) {
        answered.push({ job, answer: await sendUntilAnswered(job) });
        const isDue = answered.length % Math.floor(all / (KILLS + 1)) === 0;
        if (isDue && kills.length < KILLS) kills.push(supervised.killAtRandomMoment());
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    await Promise.all(kills);
    assert.ok(lost > 0, 'no request was cut off');

    const { api, kill } = await supervised.service;
    for (const { job, answer } of answered.filter(({ job }) => job.path === '/api/register')) {
      const { status, body } = await api.get('/api/v1/me', { token: answer.body.access_token });
      assert.deepEqual([status, body.data?.email], [200, job.body.email]);
    }
    await kill('SIGTERM');
    const { url: databaseUrl, directory: dataDir } = testDatabase;
    const database = openDatabase({ databaseUrl, dataDir, databasePool: 1 });
    const tally = await tallyOf(database).finally(() => database.close());
    assert.deepEqual(tally, { users: all, tokens: REGISTRATIONS, answers: all, claims: 0 });
    assert.equal(new Set(answered.map(({ answer }) => answer.headers.get('location'))).size, all);
  });
});
