/** Cost of an Idempotency-Key: compares registrations with a key to registrations without one. */
import { join } from 'node:path';
import type { Finding } from '../load/findings.ts';
import type { LoadResult } from '../load/jobs.ts';
import type { Job } from '../load/load.ts';
import { createRegistrations } from '../load/requests.ts';
import { measureInTurn, type Pace } from '../load/rounds.ts';
import { median, p50s, rates, ratios } from '../load/statistics.ts';
import { populate } from '../processes/seed.ts';
import { ANY_CORE, createServiceEnvironment, SERVICE, withStage } from '../processes/stage.ts';

const USERS = 1_000;
const CONCURRENT_REGISTRATIONS = 32;

/** Measures a registration with an Idempotency-Key, compared to one without. */
export function measureKeys(pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const directory = join(stage.directory, 'service');
    await populate(directory, USERS);
    const { port } = await stage.server(SERVICE, createServiceEnvironment(directory), ANY_CORE);
    const load = stage.helper<Job, LoadResult>('load/load.ts', ANY_CORE);
    const connections = CONCURRENT_REGISTRATIONS;
    const registrations = createRegistrations();
    const measure = (isKeyed: boolean) => (milliseconds: number) =>
      load({ port, requests: registrations(isKeyed), connections, milliseconds });
    const [plain = [], keyed = []] = await measureInTurn([measure(false), measure(true)], pace.long);
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
