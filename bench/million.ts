/** Costs of a million users: `me` by token, and the import of users. */
import { spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { type CostedOutcome, cpuTimes, measureServer } from './comparison.ts';
import type { Finding } from './findings.ts';
import type { Outcome } from './jobs.ts';
import type { Job } from './load.ts';
import { get } from './requests.ts';
import { inTurn, type Pace } from './rounds.ts';
import { populate, type Sample } from './seed.ts';
import { SERVICE, type Server, type Stage, serviceEnvironment, withStage } from './stage.ts';
import { median, ratios } from './statistics.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const ROUNDS = 5;
const MAX_SLOWDOWN = 1.2;

/** Compares `me` with a million tokens in the table to `me` with a thousand. */
export function measureTokens(pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const few = await serve(stage, FEW);
    const many = await serve(stage, MANY);
    const load = stage.helper<Job, Outcome>('load.ts');
    const requests = ({ tokens }: Sample) => spread(tokens).map((token) => get('/api/v1/me', token));
    const sides = [few, many].map(({ server, sample }) => measureServer(load, server, requests(sample)));
    const [short = [], long = []] = await inTurn(sides, { ...pace.long, rounds: ROUNDS });
    return [compareTokens(short, long)];
  });
}

function compareTokens(short: CostedOutcome[], long: CostedOutcome[]): Finding {
  const perRound = ratios(cpuTimes(long), cpuTimes(short));
  return {
    bench: 'tokens',
    what: 'me, by one of 1,000,000 tokens',
    figures: {
      'of 1,000 cpu µs': median(cpuTimes(short)),
      'of 1,000,000 cpu µs': median(cpuTimes(long)),
      'time ratio': median(perRound),
      'per round': perRound,
    },
    target: { figure: 'time ratio', atMost: MAX_SLOWDOWN },
  };
}

/** A thousand tokens from the whole table. */
export function spread(tokens: readonly string[]): string[] {
  const step = Math.ceil(tokens.length / FEW);
  return tokens.filter((_, index) => index % step === 0);
}

interface Populated {
  readonly server: Server;
  readonly sample: Sample;
}

async function serve(stage: Stage, users: number): Promise<Populated> {
  const directory = join(stage.directory, String(users));
  const sample = await populate(directory, users);
  return { server: await stage.server(SERVICE, serviceEnvironment(directory)), sample };
}

const IMPORTED = 100_000;
const MAX_IMPORT_SECONDS = 60;
/** Well formed; the import verifies no hash. */
const BCRYPT = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

/** Measures the import of users with hashes by the command line. */
export function measureImport(): Promise<Finding[]> {
  return withStage(async ({ directory }) => {
    const file = join(directory, 'users.ndjson');
    const output = createWriteStream(file);
    for (let number = 0; number < IMPORTED; number++) {
      const user = { email: `import-${number}@example.com`, name: `User ${number}`, password_hash: BCRYPT };
      output.write(`${JSON.stringify(user)}\n`);
    }
    output.end();
    await finished(output);
    const began = performance.now();
    const environment = { ...process.env, ...serviceEnvironment(join(directory, 'service')) };
    const { status, stderr } = spawnSync(process.execPath, ['src/cli.ts', 'users', 'import', file], {
      env: environment,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`The import failed: ${stderr}`);
    const seconds = (performance.now() - began) / 1000;
    return [
      {
        bench: 'import',
        what: `${IMPORTED.toLocaleString('en')} users with bcrypt hashes`,
        figures: { seconds, 'users/s': IMPORTED / seconds },
        target: { figure: 'seconds', atMost: MAX_IMPORT_SECONDS },
      },
    ];
  });
}
