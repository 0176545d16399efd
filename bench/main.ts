/**
 * Compares the service with references in the same run; README.md explains the figures. `npm run bench` runs
 * everything, `npm run bench -- me list --quick --json FILE` some of it with fewer and shorter rounds.
 */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { measureKeys, measureLimiter } from './additions.ts';
import { measureAttacks } from './attacks.ts';
import { measureConsole } from './console.ts';
import { measureDashboard, measureDashboardPostgres } from './dashboard.ts';
import { measureDepth } from './depth.ts';
import { measureEventFlood } from './event-flood.ts';
import { type Finding, isMet, tables } from './findings.ts';
import type { Outcome } from './jobs.ts';
import type { Job } from './load.ts';
import { measureMailAttacks } from './mail-attack.ts';
import { measureImport, measureTokens } from './million.ts';
import { measureLogins, measureRegistrations, measureResponsiveness } from './passwords.ts';
import { measureMemory, measureStart } from './process.ts';
import { measurePostgresRead, measureRead } from './reads.ts';
import { get } from './requests.ts';
import { FULL_PACE, inTurn, type Pace, QUICK_PACE } from './rounds.ts';
import { BARE, canPin, LOAD_CORE, SERVER_CORE, withStage } from './stage.ts';
import { measureStalled } from './stalled.ts';
import { median, rates } from './statistics.ts';
import { measureSweep, measureSweepPostgres } from './sweep.ts';

const benches: Readonly<Record<string, (pace: Pace) => Promise<Finding[]>>> = {
  form: (pace) => measureRead('form', pace),
  me: (pace) => measureRead('me', pace),
  list: (pace) => measureRead('list', pace),
  user: (pace) => measureRead('user', pace),
  'me-postgres': (pace) => measurePostgresRead('me', pace),
  'list-postgres': (pace) => measurePostgresRead('list', pace),
  login: measureLogins,
  register: measureRegistrations,
  responsive: measureResponsiveness,
  limiter: measureLimiter,
  keys: measureKeys,
  depth: measureDepth,
  start: measureStart,
  memory: measureMemory,
  stalled: measureStalled,
  sweep: measureSweep,
  'sweep-postgres': measureSweepPostgres,
  attacks: measureAttacks,
  'event-flood': measureEventFlood,
  'mail-attacks': measureMailAttacks,
  tokens: measureTokens,
  dashboard: measureDashboard,
  'dashboard-postgres': measureDashboardPostgres,
  import: measureImport,
  console: measureConsole,
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'string' }, quick: { type: 'boolean', default: false } },
  });
  const unknown = positionals.filter((name) => !Object.hasOwn(benches, name));
  if (unknown.length > 0)
    throw new Error(`There is no bench named ${unknown}; there are ${Object.keys(benches)}`);
  const names = positionals.length === 0 ? Object.keys(benches) : positionals;
  const pace = values.quick ? QUICK_PACE : FULL_PACE;
  const machine = await describeMachine(pace);
  console.log(heading(machine));
  const findings: Finding[] = [];
  for (const name of names) {
    const found = await benches[name]!(pace);
    findings.push(...found);
    console.log(`\n${tables(found)}`);
  }
  if (values.json === undefined) return;
  const report = { ...machine, pace, findings: findings.map((each) => ({ ...each, isMet: isMet(each) })) };
  writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
}

async function describeMachine(pace: Pace) {
  // Read first: measuring the load generator adds to it.
  const loadAverage = loadavg()[0]!;
  return {
    machine: `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}`,
    loadAverage,
    pinning: canPin ? `server on core ${SERVER_CORE}, load generator on core ${LOAD_CORE}` : 'nothing pinned',
    loadGeneratorPerSecond: await measureLoadGenerator(pace),
  };
}

function heading({
  machine,
  loadAverage,
  pinning,
  loadGeneratorPerSecond,
}: Awaited<ReturnType<typeof describeMachine>>) {
  const limit = Math.round(loadGeneratorPerSecond).toLocaleString('en');
  return [
    `${machine}, load average ${loadAverage.toFixed(1)} before the run`,
    `Reads: ${pinning}. Passwords, starts and memory: nothing pinned.`,
    'Servers are measured in turn; figures are medians of the rounds.',
    `The load generator reaches ${limit} requests per second with a server that does nothing.`,
  ].join('\n');
}

function measureLoadGenerator(pace: Pace): Promise<number> {
  return withStage(async (stage) => {
    const { port } = await stage.server(BARE, {});
    const load = stage.helper<Job, Outcome>('load.ts');
    const requests = [get('/')];
    const [outcomes = []] = await inTurn(
      [(milliseconds: number) => load({ port, requests, connections: 48, milliseconds })],
      { ...pace.long, rounds: 3 },
    );
    return median(rates(outcomes));
  });
}

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));
main().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
