/**
 * Attacks from many networks, each at a constant rate, while one user reads and logs in from a network of their own.
 * The service has its default limits and trusts X-Forwarded-For, with which the attacker pretends the networks.
 */
import { join } from 'node:path';
import type { ConstantRateJob } from '../load/constant-rate.ts';
import type { Tally } from '../load/constant-rate-tally.ts';
import type { Finding } from '../load/findings.ts';
import { ADMIN_TOKEN, fetchResponse, get, PASSWORD, post } from '../load/requests.ts';
import type { Pace } from '../load/rounds.ts';
import { ANY_CORE, SERVICE, type Stage, withStage } from '../processes/stage.ts';
import { measureEventFlood } from './event-flood.ts';
import { floods, forwardFrom } from './floods.ts';
import { measureKnownNetworks } from './known-networks.ts';

const USER_NETWORK = '198.51.100.7';
const EMAIL = 'user@example.com';
const ME_PER_SECOND = 20;
/** Below the limit of logins of one network. */
const LOGINS_PER_SECOND = 0.9;
const FLOOD_CONNECTIONS = 256;
const FLOOD_MS = 20_000;
const QUICK_FLOOD_MS = 6_000;
const MIN_SUCCESS = 0.99;
const MAX_SLOWDOWN = 5;

/** Measures every attack on a service of its own. */
export async function measureAttacks(pace: Pace): Promise<Finding[]> {
  const milliseconds = pace.groups === 1 ? QUICK_FLOOD_MS : FLOOD_MS;
  const found: AttackFindings[] = [];
  for (const { name, perSecond, requests } of floods) {
    const load = { requests: requests(), perSecond, connections: FLOOD_CONNECTIONS, milliseconds };
    found.push(await withStage((stage) => measureAttack(stage, name, load)));
  }
  const slowdowns = found.flatMap((each) => each.slowdowns);
  const fairness = await measureKnownNetworks(milliseconds);
  return [...found.map(({ success }) => success), ...slowdowns, ...fairness, ...(await measureEventFlood())];
}

interface AttackFindings {
  readonly success: Finding;
  readonly slowdowns: readonly Finding[];
}

type Flood = Omit<ConstantRateJob, 'port'>;

async function measureAttack(stage: Stage, name: string, flood: Flood): Promise<AttackFindings> {
  const environment = {
    DATA_DIR: join(stage.directory, 'service'),
    ADMIN_TOKEN,
    TRUST_PROXY: 'loopback',
  };
  const { port } = await stage.server(SERVICE, environment, ANY_CORE);
  const runUser = await registerUser(stage, port);
  const attacker = stage.helper<ConstantRateJob, Tally>('load/constant-rate-tally.ts', ANY_CORE);
  const { milliseconds } = flood;
  const idle = await runUser(milliseconds);
  const [flooded, tally] = await Promise.all([runUser(milliseconds), attacker({ ...flood, port })]);
  return {
    success: toSuccessFinding(name, flooded, tally),
    slowdowns: [
      toSlowdownFinding(`${name}: me`, idle.me, flooded.me),
      toSlowdownFinding(`${name}: login`, idle.login, flooded.login),
    ],
  };
}

interface UserLoad {
  readonly me: Tally;
  readonly login: Tally;
}

/** Registers the user and returns a function that reads and logs in as that user for some time. */
async function registerUser(
  stage: Stage,
  port: number,
): Promise<(milliseconds: number) => Promise<UserLoad>> {
  const token = await fetchToken(port);
  const reading = stage.helper<ConstantRateJob, Tally>('load/constant-rate-tally.ts', ANY_CORE);
  const loggingIn = stage.helper<ConstantRateJob, Tally>('load/constant-rate-tally.ts', ANY_CORE);
  const me = forwardFrom(USER_NETWORK, get('/api/v1/me', token));
  const login = forwardFrom(USER_NETWORK, post('/api/login', { email: EMAIL, password: PASSWORD }));
  return async (milliseconds) => {
    const common = { port, connections: 8, milliseconds };
    const [meTally, loginTally] = await Promise.all([
      reading({ ...common, requests: [me], perSecond: ME_PER_SECOND }),
      loggingIn({ ...common, requests: [login], perSecond: LOGINS_PER_SECOND }),
    ]);
    return { me: meTally, login: loginTally };
  };
}

async function fetchToken(port: number): Promise<string> {
  const user = { name: 'User', email: EMAIL, password: PASSWORD };
  const response = await fetchResponse(port, forwardFrom(USER_NETWORK, post('/api/register', user)));
  return ((await response.json()) as { access_token: string }).access_token;
}

function toSuccessFinding(name: string, { me, login }: UserLoad, flood: Tally): Finding {
  const served =
    countResponses(me, (status) => status < 300) + countResponses(login, (status) => status < 300);
  const requests = me.requests + login.requests;
  const share = (isCounted: (status: number) => boolean) => countResponses(flood, isCounted) / flood.requests;
  return {
    bench: 'attacks',
    what: name,
    figures: {
      'requests of the user': requests,
      success: served / requests,
      'requests of the attack': flood.requests,
      '2xx': share((status) => status >= 200 && status < 300),
      '4xx': share((status) => status >= 400 && status < 500),
      '5xx': share((status) => status >= 500),
    },
    target: { figure: 'success', atLeast: MIN_SUCCESS },
  };
}

function countResponses({ statuses }: Tally, isCounted: (status: number) => boolean): number {
  const counted = Object.entries(statuses).filter(([status]) => status !== '0' && isCounted(Number(status)));
  return counted.reduce((sum, [, responses]) => sum + responses, 0);
}

function toSlowdownFinding(what: string, idle: Tally, flooded: Tally): Finding {
  return {
    bench: 'attacks',
    what,
    figures: {
      'idle p50 ms': idle.p50,
      'idle p99 ms': idle.p99,
      'p50 ms': flooded.p50,
      'p99 ms': flooded.p99,
      'p99 ratio': flooded.p99 / idle.p99,
    },
    target: { figure: 'p99 ratio', atMost: MAX_SLOWDOWN },
  };
}
