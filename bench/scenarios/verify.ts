/**
 * Verification of one token and of a hundred by a named credential, and JSON Web Tokens, compared with reading the own
 * account.
 */
import { join } from 'node:path';
import {
  type CostedResult,
  CPU_RATIO,
  getCpuTimes,
  measureServer,
  toCostFinding,
} from '../load/comparison.ts';
import type { Finding } from '../load/findings.ts';
import type { LoadResult } from '../load/jobs.ts';
import type { Job } from '../load/load.ts';
import { ADMIN_TOKEN, type BenchRequest, fetchResponse, get, post } from '../load/requests.ts';
import { measureInGroups, type Pace } from '../load/rounds.ts';
import { median, ratios } from '../load/statistics.ts';
import { populate } from '../processes/seed.ts';
import { createServiceEnvironment, SERVICE, type Stage } from '../processes/stage.ts';

const USERS = 1_000;
const BATCH = 100;
const MIN_RATIO = 1;
/** Least ratio of each token in a batch. */
const MIN_BATCH_RATIO = 5;
/** Half of the time is the signature. */
const MIN_JWT_RATIO = 0.2;
const JWT_SETTINGS = { PUBLIC_URL: 'http://127.0.0.1', JWT_AUDIENCES: 'orders' };

/** Measures all on one server. */
export async function measureVerify(pace: Pace): Promise<Finding[]> {
  const [me = [], one = [], hundred = [], jwt = []] = await measureInGroups(pace, openServer);
  return [
    toCostFinding('verify', 'me', me),
    toCostFinding('verify', 'verification of one token', one),
    toCostFinding('verify', 'verification of 100 tokens', hundred),
    toTokenRatio('one token to me', { me, verify: one, tokens: 1, atLeast: MIN_RATIO }),
    toTokenRatio('each of 100 tokens to me', {
      me,
      verify: hundred,
      tokens: BATCH,
      atLeast: MIN_BATCH_RATIO,
    }),
    toCostFinding('verify', 'issue of a JSON Web Token', jwt),
    toTokenRatio('a JSON Web Token to me', { me, verify: jwt, tokens: 1, atLeast: MIN_JWT_RATIO }),
  ];
}

async function openServer(stage: Stage) {
  const directory = join(stage.directory, 'service');
  const { tokens } = await populate(directory, USERS);
  const server = await stage.server(SERVICE, { ...createServiceEnvironment(directory), ...JWT_SETTINGS });
  const credential = await createCredential(server.port);
  const verify = (body: object) => withCredential(post('/api/v1/tokens/verify', body), credential);
  const batches = Array.from({ length: USERS / BATCH }, (_, index) =>
    verify({ tokens: tokens.slice(index * BATCH, (index + 1) * BATCH) }),
  );
  const load = stage.helper<Job, LoadResult>('load/load.ts');
  const requests = [
    tokens.map((token) => get('/api/v1/me', token)),
    tokens.map((token) => verify({ token })),
    batches,
    tokens.map((token) => withCredential(post('/api/v1/tokens/jwt', {}), token)),
  ];
  return requests.map((each) => measureServer(load, server, each));
}

interface Verification {
  readonly me: readonly CostedResult[];
  readonly verify: readonly CostedResult[];
  /** Tokens of each request. */
  readonly tokens: number;
  readonly atLeast: number;
}

/** Compares the processor time per token. Higher is better. */
function toTokenRatio(what: string, { me, verify, tokens, atLeast }: Verification): Finding {
  const perToken = getCpuTimes(verify).map((time) => time / tokens);
  const perRound = ratios(getCpuTimes(me), perToken);
  return {
    bench: 'verify',
    what,
    figures: { [CPU_RATIO]: median(perRound), 'cpu per round': perRound },
    target: { figure: CPU_RATIO, atLeast },
  };
}

async function createCredential(port: number): Promise<string> {
  const body = { name: 'verify', scopes: ['tokens:verify'] };
  const response = await fetchResponse(port, withCredential(post('/api/v1/credentials', body), ADMIN_TOKEN));
  if (response.status !== 201) throw new Error(`No credential was created: ${await response.text()}`);
  const { data } = (await response.json()) as { readonly data: { readonly credential: string } };
  return data.credential;
}

function withCredential(request: BenchRequest, credential: string): BenchRequest {
  return { ...request, headers: { ...request.headers, Authorization: `Bearer ${credential}` } };
}
