/**
 * What the service costs, beside a floor measured in the same run (README.md says how to read it).
 * `npm run bench` runs everything, `npm run bench -- me login --json FILE` some of it.
 */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { measureKeys, measureLimiter } from './additions.ts';
import { measureDepth } from './depth.ts';
import { type Finding, isMet, table } from './findings.ts';
import type { Job, Outcome } from './load.ts';
import { measureLogins, measureRegistrations, measureResponsiveness } from './passwords.ts';
import { measureMemory, measureStart } from './process.ts';
import { measureRead, reads } from './reads.ts';
import { get } from './requests.ts';
import { ROUND_MS } from './rounds.ts';
import { BARE, canPin, LOAD_CORE, openStage, SERVER_CORE } from './stage.ts';

const benches: Readonly<Record<string, () => Promise<Finding[]>>> = {
  ...Object.fromEntries(Object.keys(reads).map((name) => [name, () => measureRead(name)])),
  login: measureLogins,
  register: measureRegistrations,
  responsive: measureResponsiveness,
  limiter: measureLimiter,
  keys: measureKeys,
  depth: measureDepth,
  start: measureStart,
  memory: measureMemory,
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'string' } },
  });
  const unknown = positionals.filter((name) => !Object.hasOwn(benches, name));
  if (unknown.length > 0) throw new Error(`No bench is named ${unknown}; there are ${Object.keys(benches)}`);
  const names = positionals.length === 0 ? Object.keys(benches) : positionals;
  const loadAverage = loadavg()[0]!;
  const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}`;
  const pinning = canPin ? `server on core ${SERVER_CORE}, load on core ${LOAD_CORE}` : 'nothing pinned';
  const limit = await measureLoadGenerator();
  console.log(
    `${machine}, load average ${loadAverage.toFixed(1)} before\nReads: ${pinning}; passwords and starts: nothing pinned.`,
  );
  console.log('Each side in turn; medians of the rounds.');
  console.log(`The load generator reaches ${Math.round(limit).toLocaleString('en')} requests per second.`);
  const findings: Finding[] = [];
  for (const name of names) {
    const found = await benches[name]!();
    findings.push(...found);
    console.log(`\n${table(found)}`);
  }
  if (values.json === undefined) return;
  const report = {
    machine,
    loadAverage,
    pinning,
    loadGeneratorPerSecond: limit,
    findings: findings.map(withVerdict),
  };
  writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
}

const withVerdict = (finding: Finding) => ({ ...finding, isMet: isMet(finding) });

/** Against a server that answers 300 fixed bytes: no figure below can be higher than this one. */
async function measureLoadGenerator(): Promise<number> {
  const stage = openStage();
  try {
    const { port } = await stage.server(BARE, {}, { pinned: true });
    const load = stage.measurer<Job, Outcome>('load.ts', { pinned: true });
    const job = { port, requests: [get('/')], connections: 48, milliseconds: ROUND_MS, perSecond: null };
    await load(job);
    return (await load(job)).perSecond;
  } finally {
    await stage.close();
  }
}

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));
main().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
