/** Runs benches by name: `npm run bench -- reads --quick --json FILE`. README.md explains the figures. */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchOptions, benches } from './benches.ts';
import { type Finding, formatFindings } from './load/findings.ts';
import { FULL_PACE, QUICK_PACE } from './load/rounds.ts';
import { canPin, LOAD_CORE, SERVER_CORE } from './processes/stage.ts';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      beside: { type: 'string' },
      help: { type: 'boolean', default: false },
      json: { type: 'string' },
      only: { type: 'string', multiple: true },
      quick: { type: 'boolean', default: false },
    },
  });
  if (values.help || positionals.length === 0) return console.log(formatHelp());
  const unknown = positionals.filter((name) => name !== 'all' && !benches.has(name));
  if (unknown.length > 0) throw new Error(`Unknown bench: ${unknown.join(', ')}\n\n${formatHelp()}`);
  const names = positionals.includes('all') ? [...benches.keys()] : positionals;
  const pace = values.quick ? QUICK_PACE : FULL_PACE;
  const beside = values.beside && resolve(values.beside);
  await runBenches(names, { pace, beside, only: values.only }, values.json);
}

function formatHelp(): string {
  const width = Math.max(...[...benches.keys()].map((name) => name.length));
  return [
    'Usage: npm run bench -- <name …> [--quick] [--only NAME] [--beside DIR] [--json FILE]',
    '',
    ...[...benches].map(([name, { description }]) => `  ${name.padEnd(width)}  ${description}`),
    `  ${'all'.padEnd(width)}  all of them, about 40 minutes`,
    '',
    '  --quick       fewer and shorter rounds',
    '  --beside DIR  reads, reads-on-postgres, writes: measures the checkout in DIR in the same run',
    '  --only NAME   reads: me, list, form or verify; writes: submissions-64, …, users-16; may be repeated',
    '  --json FILE   also writes every figure of every round',
  ].join('\n');
}

async function runBenches(names: readonly string[], options: BenchOptions, jsonFile?: string): Promise<void> {
  const pinning = canPin ? `server on core ${SERVER_CORE}, load generator on core ${LOAD_CORE}` : 'nothing';
  console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}
Load average before the run: ${loadavg()[0]!.toFixed(1)}. Pinned for reads: ${pinning}.
Servers are measured in turn; figures are medians of the rounds.`);
  const findings: Finding[] = [];
  for (const name of names) {
    const found = await benches.get(name)!.measure(options);
    findings.push(...found);
    console.log(`\n${formatFindings(found)}`);
  }
  if (jsonFile !== undefined)
    writeFileSync(jsonFile, `${JSON.stringify({ pace: options.pace, findings }, null, 2)}\n`);
}

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));
main().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
