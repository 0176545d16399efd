import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { ApiResponse } from '../support/api.ts';
import { openTestDatabase } from '../support/database.ts';
import { getAction, sendForm } from '../support/form-pages.ts';
import { FORMS, publishTestForm } from '../support/forms.ts';
import { keyed, newKey, readTally } from '../support/keyed.ts';
import { type ServiceProcess, startProcess } from '../support/processes/process.ts';
import { describeOnEachEngine, type TestDatabase, untilUnused } from '../support/runner/engines.ts';
import { newUserData } from '../support/service.ts';

const REGISTRATIONS = 100;
/** Requests without a password to hash, so that kills also happen shortly before and after a commit. */
const OTHERS_PER_REGISTRATION = 3;
const KILLS = 4;
const CLIENTS = 8;
const ATTEMPTS = 50;
/** Duration of a registration, so that a kill may happen at each of its steps. */
const REGISTRATION_MS = 50;

const EXPIRE_LEASES = sql("update idempotency_keys set lease_until = 0 where state = 'in_progress'");

/** Ends all leases, as if the service had been down for longer than they last. */
async function expireLeases({ url, directory }: TestDatabase): Promise<void> {
  const database = openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 1 });
  await database.transaction((tx) => tx.run(EXPIRE_LEASES)).finally(() => database.close());
}

/** Each request comes from a network of its own: the submissions that a form holds are bounded for each network. */
const start = (testDatabase: TestDatabase) => startProcess(testDatabase, { TRUST_PROXY: '127.0.0.1' });
const fromNetwork = (number: number) => ({ 'x-forwarded-for': `203.0.${number >> 8}.${number & 255}` });

/** A service that restarts after a kill, when the leases of the killed process have ended. */
function supervise(testDatabase: TestDatabase) {
  const restart = async (before: Promise<ServiceProcess>) => {
    await (await before).kill('SIGKILL');
    await untilUnused(testDatabase);
    await expireLeases(testDatabase);
    return start(testDatabase);
  };
  const supervised = {
    service: start(testDatabase),
    killAtRandomMoment: async () => {
      await pause(Math.random() * REGISTRATION_MS);
      supervised.service = restart(supervised.service);
    },
  };
  return supervised;
}

/** Returns undefined when the service was killed before its response. */
async function orLost(response: Promise<ApiResponse>): Promise<ApiResponse | undefined> {
  try {
    return await response;
  } catch (error) {
    // Any other is that of a connection that is rejected or breaks.
    if (error instanceof assert.AssertionError) throw error;
    return undefined;
  }
}

interface Job {
  readonly path: string;
  readonly body: object;
  /** Null for the page of a form, which has one of its own. */
  readonly key: string | null;
}

/** A registration, records of users and submissions to a form by JSON and by its page, again and again. */
function newJobs(form: string): Job[] {
  const job = (path: string, body: object = newUserData()) => ({ path, body, key: newKey() });
  const submission = () => job(`${form}/submissions`, { answers: { full_name: newKey() } });
  const page = () => ({ path: form.replace(FORMS, '/f'), body: { full_name: newKey() }, key: null });
  const others = () =>
    Array.from({ length: OTHERS_PER_REGISTRATION }, () => [
      job('/api/v1/users'),
      submission(),
      page(),
    ]).flat();
  return Array.from({ length: REGISTRATIONS }, () => [job('/api/register'), ...others()]).flat();
}

const SUBMISSIONS = sql<{ stored: number; different: number }>(
  'select count(*) as stored, count(distinct answers) as different from form_submissions',
);

describeOnEachEngine('creations with an Idempotency-Key', (engine) => {
  test('creations with an Idempotency-Key are processed once when clients retry at a service that is killed', async (context) => {
    const testDatabase = await openTestDatabase(context, engine);
    const supervised = supervise(testDatabase);
    const waiting = newJobs(await publishTestForm(await supervised.service));
    const all = waiting.length;
    const answered: { job: Job; response: ApiResponse }[] = [];
    let lost = 0;

    const sendUntilCreated = async ({ path, body, key }: Job, number: number) => {
      const headers = fromNetwork(number);
      let action: string | undefined;
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const service = await supervised.service;
        const { api } = service;
        if (key === null && action === undefined) {
          const page = await orLost(api.get(path));
          action = page === undefined ? undefined : getAction(page);
          continue;
        }
        const response = await orLost(
          key === null
            ? sendForm(service, action!, Object.entries(body), headers)
            : api.post(path, body, keyed(key, { headers })),
        );
        if (response === undefined) lost++;
        else if (response.status === (key === null ? 303 : 201)) return response;
        else assert.equal(response.body.code, 'idempotency_key_in_use', response.text);
      }
      return assert.fail(`${path} ${JSON.stringify(body)} was never created`);
    };
    const kills: Promise<void>[] = [];
    const client = async () => {
      for (let job = waiting.pop(); job !== undefined; job = waiting.pop()) {
        answered.push({ job, response: await sendUntilCreated(job, waiting.length) });
        const isDue = answered.length % Math.floor(all / (KILLS + 1)) === 0;
        if (isDue && kills.length < KILLS) kills.push(supervised.killAtRandomMoment());
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    await Promise.all(kills);
    assert.ok(lost > 0, 'at least one request was interrupted');

    const { api, kill } = await supervised.service;
    for (const { job, response } of answered.filter(({ job }) => job.path === '/api/register')) {
      const { status, body } = await api.get('/api/v1/me', { token: response.body.access_token });
      assert.deepEqual([status, body.data?.email], [200, (job.body as { email?: string }).email]);
    }
    await kill('SIGTERM');
    const { url: databaseUrl, directory: dataDir } = testDatabase;
    const database = openDatabase({ databaseUrl, dataDir, databasePool: 1 });
    const submissions = await database.get(SUBMISSIONS);
    const tally = await readTally(database).finally(() => database.close());
    const pages = REGISTRATIONS * OTHERS_PER_REGISTRATION;
    const submitted = 2 * pages;
    assert.deepEqual({ ...submissions }, { stored: submitted, different: submitted });
    const responses = all - pages;
    assert.deepEqual(tally, { users: all - submitted, tokens: REGISTRATIONS, responses, claims: 0 });
    const created = answered.filter(({ job: { key } }) => key !== null);
    const names = created.map(({ response: { headers, body } }) => headers.get('location') ?? body.data.id);
    assert.equal(new Set(names).size, responses);
  });
});
