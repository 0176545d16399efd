/** What single features cost: the service beside itself without them. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './findings.ts';
import type { Job, Outcome } from './load.ts';
import { get, newRegistrations } from './requests.ts';
import { inPairs, inTurn, median, p50s, rates, ratios } from './rounds.ts';
import { populate } from './seed.ts';
import { openStage, SERVICE, serviceEnvironment } from './stage.ts';

const USERS = 1_000;
const CONNECTIONS = 48;
const REGISTRATIONS_AT_A_TIME = 32;
/** Of the reads without limits, at least this much has to be left with them. */
const MIN_RATIO = 0.95;

/** `me` with rate limits, beside the same without. */
export async function measureLimiter(): Promise<Finding[]> {
  const [without, limited] = await inPairs(openLimiterPair);
  return [compared('limiter', 'me, with rate limits', without, limited, MIN_RATIO)];
}

async function openLimiterPair() {
  const stage = openStage();
  const close = () => stage.close();
  try {
    const unlimited = join(stage.directory, 'unlimited');
    const limited = join(stage.directory, 'limited');
    const { tokens } = await populate(unlimited, USERS);
    // The same tokens, in a file for each: one file is served by one process.
    cpSync(unlimited, limited, { recursive: true });
    const requests = tokens.map((token) => get('/api/v1/me', token));
    const load = stage.measurer<Job, Outcome>('load.ts', { pinned: true });
    const side = async (directory: string, environment: Record<string, string>) => {
      const more = { ...serviceEnvironment(directory), ...environment };
      // One after the other on one core; the one that waits costs nothing.
      const { port } = await stage.server(SERVICE, more, { pinned: true });
      return (milliseconds: number) =>
        load({ port, requests, connections: CONNECTIONS, milliseconds, perSecond: null });
    };
    const sides = [await side(unlimited, { RATE_LIMITS: 'off' }), await side(limited, {})];
    return { sides, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A registration with an Idempotency-Key, beside one without. */
export async function measureKeys(): Promise<Finding[]> {
  const stage = openStage();
  try {
    await populate(join(stage.directory, 'service'), USERS);
    const environment = serviceEnvironment(join(stage.directory, 'service'));
    const { port } = await stage.server(SERVICE, environment, { pinned: false });
    const load = stage.measurer<Job, Outcome>('load.ts', { pinned: false });
    const connections = REGISTRATIONS_AT_A_TIME;
    const registrations = newRegistrations();
    const side = (isKeyed: boolean) => (milliseconds: number) =>
      load({ port, requests: registrations(isKeyed), connections, milliseconds, perSecond: null });
    const [plain, keyed] = await inTurn([side(false), side(true)]);
    return [compared('keys', 'registration, with a key', plain!, keyed!, null)];
  } finally {
    await stage.close();
  }
}

function compared(
  bench: string,
  what: string,
  without: readonly Outcome[],
  having: readonly Outcome[],
  least: number | null,
): Finding {
  const perRound = ratios(rates(having), rates(without));
  return {
    bench,
    what,
    figures: {
      'without/s': median(rates(without)),
      'with/s': median(rates(having)),
      ratio: median(perRound),
      'per round': perRound,
      'without p50 ms': median(p50s(without)),
      'p50 ms': median(p50s(having)),
    },
    target: least === null ? null : { figure: 'ratio', atLeast: least },
  };
}
