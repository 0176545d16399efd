/**
 * Logins beside 400 networks that an account of the attacker knows, and 80 logins at once from one network, half of
 * them known there. The networks become known before the measurement: their first logins are moved to the past.
 */
import { join } from 'node:path';
import { sql } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { DAY } from '../../src/lib/time/clock.ts';
import type { ConstantRateJob } from '../load/constant-rate.ts';
import type { Tally } from '../load/constant-rate-tally.ts';
import type { Finding } from '../load/findings.ts';
import { ADMIN_TOKEN, type BenchRequest, fetchResponse, PASSWORD, post } from '../load/requests.ts';
import { ANY_CORE, SERVICE, type Stage, withStage } from '../processes/stage.ts';
import { forwardFrom } from './floods.ts';

const ATTACKER_NETWORKS = 400;
const ATTACK_PER_SECOND = 400;
const USER_PER_SECOND = 0.9;
const PUPILS = 80;
const SCHOOL = '198.51.100.8';
const HOME = '198.51.100.7';

const formatAttackerNetwork = (number: number) => `203.0.${number >> 8}.${number & 255}`;
const createRegistration = (name: string) =>
  post('/api/register', { name, email: `${name}@example.com`, password: PASSWORD });
const createLogin = (name: string) =>
  post('/api/login', { email: `${name}@example.com`, password: PASSWORD });
const listNumbers = (count: number) => Array.from({ length: count }, (_, number) => number);
const createAttackerLogins = () =>
  listNumbers(ATTACKER_NETWORKS).map((number) =>
    forwardFrom(formatAttackerNetwork(number), createLogin('attacker')),
  );

/** Measures both on one service with its default queue. */
export function measureKnownNetworks(milliseconds: number): Promise<Finding[]> {
  return withStage(async (stage) => {
    const directory = join(stage.directory, 'service');
    const environment = {
      DATA_DIR: directory,
      ADMIN_TOKEN,
      TRUST_PROXY: 'loopback',
      RATE_LIMIT_LOGIN: '6000/60',
      RATE_LIMIT_REGISTER: '6000/60',
    };
    const first = await stage.server(SERVICE, environment, ANY_CORE);
    await makeNetworksKnown(first.port);
    await first.stop();
    await moveFirstLogins(directory);
    const { port } = await stage.server(SERVICE, environment, ANY_CORE);
    return [await measureClass(port), await measureUser(stage, { port, milliseconds })];
  });
}

/** Registers all accounts, and logs in from the networks that are to be known. */
async function makeNetworksKnown(port: number): Promise<void> {
  const pupils = listNumbers(PUPILS).map((pupil) => `pupil-${pupil}`);
  for (const name of ['user', 'attacker', ...pupils])
    await send(port, forwardFrom(SCHOOL, createRegistration(name)));
  const knownPupils = pupils.slice(0, PUPILS / 2).map((name) => forwardFrom(SCHOOL, createLogin(name)));
  for (const request of [forwardFrom(HOME, createLogin('user')), ...knownPupils, ...createAttackerLogins()]) {
    if ((await send(port, request)) !== 200) throw new Error('A login before the measurement was rejected');
  }
}

const MOVE = sql('update known_networks set first_login_at = first_login_at - $1');

async function moveFirstLogins(dataDir: string): Promise<void> {
  const database = openDatabase({ databaseUrl: null, dataDir, databasePool: 1 });
  await database.transaction((tx) => tx.run(MOVE, 2 * DAY));
  await database.close();
}

async function measureClass(port: number): Promise<Finding> {
  // A cold start is not what is measured.
  for (const _ of listNumbers(20)) await send(port, forwardFrom(HOME, createLogin('user')));
  const logins = listNumbers(PUPILS).map((pupil) =>
    send(port, forwardFrom(SCHOOL, createLogin(`pupil-${pupil}`))),
  );
  const rejected = (await Promise.all(logins)).filter((status) => status !== 200).length;
  return {
    bench: 'attacks',
    what: '80 logins at once from one network',
    figures: { requests: PUPILS, rejected },
    target: { figure: 'rejected', atMost: 0 },
  };
}

async function measureUser(
  stage: Stage,
  job: Pick<ConstantRateJob, 'port' | 'milliseconds'>,
): Promise<Finding> {
  const client = () => stage.helper<ConstantRateJob, Tally>('load/constant-rate-tally.ts', ANY_CORE);
  const [user, attacker] = [client(), client()];
  const [tally, attack] = await Promise.all([
    user({
      ...job,
      requests: [forwardFrom(HOME, createLogin('user'))],
      connections: 8,
      perSecond: USER_PER_SECOND,
    }),
    attacker({ ...job, requests: createAttackerLogins(), connections: 256, perSecond: ATTACK_PER_SECOND }),
  ]);
  const share = ({ statuses, requests }: Tally) => (statuses[200] ?? 0) / requests;
  return {
    bench: 'attacks',
    what: 'logins beside 400 known networks of an attacker',
    figures: {
      'logins of the user': tally.requests,
      success: share(tally),
      'p99 ms': tally.p99,
      'requests of the attack': attack.requests,
      '2xx': share(attack),
    },
    target: { figure: 'success', atLeast: 0.99 },
  };
}

async function send(port: number, request: BenchRequest): Promise<number> {
  const response = await fetchResponse(port, request);
  await response.arrayBuffer();
  return response.status;
}
