/** Cost of single features: compares the service with itself without them. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { CPU_RATIO, compareServers, costs, ratio } from './comparison.ts';
import type { Finding } from './findings.ts';
import type { Outcome } from './jobs.ts';
import type { Job } from './load.ts';
import { get, newRegistrations } from './requests.ts';
import { inGroups, inTurn, type Pace } from './rounds.ts';
import { populate } from './seed.ts';
import { ANY_CORE, SERVICE, type Stage, serviceEnvironment, withStage } from './stage.ts';
import { median, p50s, rates, ratios } from './statistics.ts';

const USERS = 1_000;
const CONCURRENT_REGISTRATIONS = 32;
const MIN_RATIO = 0.95;

/** Measures `me` with rate limits, compared to `me` without. */
export async function measureLimiter(pace: Pace): Promise<Finding[]> {
  const [without = [], limited = []] = await inGroups(pace, openLimiterGroup);
  const target = { figure: CPU_RATIO, atLeast: MIN_RATIO };
  return [
    costs('limiter', 'me, without rate limits', without),
    costs('limiter', 'me, with rate limits', limited),
    ratio('limiter', { what: 'with to without', service: limited, reference: without, target }),
  ];
}

async function openLimiterGroup(stage: Stage) {
  const unlimited = join(stage.directory, 'unlimited');
  const limited = join(stage.directory, 'limited');
  const { tokens } = await populate(unlimited, USERS);
  // A copy with the same tokens, because only one process can serve a file.
  cpSync(unlimited, limited, { recursive: true });
  const servers = [
    await stage.server(SERVICE, { ...serviceEnvironment(unlimited), RATE_LIMITS: 'off' }),
    await stage.server(SERVICE, serviceEnvironment(limited)),
  ];
  const requests = tokens.map((token) => get('/api/v1/me', token));
  return compareServers(stage, servers, requests);
}

/** Measures a registration with an Idempotency-Key, compared to one without. */
export function measureKeys(pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const directory = join(stage.directory, 'service');
    await populate(directory, USERS);
    const { port } = await stage.server(SERVICE, serviceEnvironment(directory), ANY_CORE);
    const load = stage.helper<Job, Outcome>('load.ts', ANY_CORE);
    const connections = CONCURRENT_REGISTRATIONS;
    const registrations = newRegistrations();
    const measure = (isKeyed: boolean) => (milliseconds: number) =>
      load({ port, requests: registrations(isKeyed), connections, milliseconds });
    const [plain = [], keyed = []] = await inTurn([measure(false), measure(true)], pace.long);
    const perRound = ratios(rates(keyed), rates(plain));
    const figures = {
      'without/s': median(rates(plain)),
      'with/s': median(rates(keyed)),
      ratio: median(perRound),
      'per round': perRound,
      'without p50 ms': median(p50s(plain)),
      'p50 ms': median(p50s(keyed)),
    };
    return [{ bench: 'keys', what: 'registration, with a key', figures, target: null }];
  });
}
