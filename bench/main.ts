/** Runs benches by name: `npm run bench -- me list --quick --json FILE`. README.md explains the figures. */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { benches } from './benches.ts';
import { type Finding, formatFindings, isMet } from './load/findings.ts';
import type { LoadResult } from './load/jobs.ts';
import type { Job } from './load/load.ts';
import { get } from './load/requests.ts';
import { FULL_PACE, measureInTurn, type Pace, QUICK_PACE } from './load/rounds.ts';
import { median, rates } from './load/statistics.ts';
import { BARE, canPin, LOAD_CORE, SERVER_CORE, withStage } from './processes/stage.ts';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      json: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  });
  if (values.help || positionals.length === 0) return console.log(formatHelp());
  const unknown = positionals.filter((name) => name !== 'all' && !benches.has(name));
  if (unknown.length > 0) throw new Error(`Unknown bench: ${unknown.join(', ')}\n\n${formatHelp()}`);
  const names = positionals.includes('all') ? [...benches.keys()] : positionals;
  await runBenches(names, values.quick ? QUICK_PACE : FULL_PACE, values.json);
}

function formatHelp(): string {
  const width = Math.max(...[...benches.keys()].map((name) => name.length));
  return [
    'Usage: npm run bench -- <name …> [--quick] [--json FILE]',
    '',
    ...[...benches].map(([name, { description }]) => `  ${name.padEnd(width)}  ${description}`),
    `  ${'all'.padEnd(width)}  all of them, about 75 minutes`,
    '',
    '  --quick      fewer and shorter rounds',
    '  --json FILE  also writes every figure of every round',
  ].join('\n');
}

async function runBenches(names: readonly string[], pace: Pace, jsonFile?: string): Promise<void> {
  const machine = await describeMachine(pace);
  console.log(formatHeading(machine));
  const findings: Finding[] = [];
  for (const name of names) {
    const found = await benches.get(name)!.measure(pace);
    findings.push(...found);
    console.log(`\n${formatFindings(found)}`);
  }
  if (jsonFile === undefined) return;
  const report = { ...machine, pace, findings: findings.map((each) => ({ ...each, isMet: isMet(each) })) };
  writeFileSync(jsonFile, `${JSON.stringify(report, null, 2)}\n`);
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

type Machine = Awaited<ReturnType<typeof describeMachine>>;

function formatHeading({ machine, loadAverage, pinning, loadGeneratorPerSecond }: Machine): string {
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
    const load = stage.helper<Job, LoadResult>('load/load.ts');
    const requests = [get('/')];
    const [results = []] = await measureInTurn(
      [(milliseconds: number) => load({ port, requests, connections: 48, milliseconds })],
      { ...pace.long, rounds: 3 },
    );
    return median(rates(results));
  });
}

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));
main().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
