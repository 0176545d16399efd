/** Submissions beside bare inserts with the same durability, and a form with 1,000,000 submissions, on both engines. */
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import pg from 'pg';
import type { BenchOptions } from '../benches.ts';
import type { Finding } from '../load/findings.ts';
import { type LoadResult, repeatUntil } from '../load/jobs.ts';
import type { Job } from '../load/load.ts';
import { ADMIN_TOKEN, administer, fetchResponse, get, post, timeRequests } from '../load/requests.ts';
import { measureInTurn, QUICK_PACE } from '../load/rounds.ts';
import { median, p99s, rates, ratios } from '../load/statistics.ts';
import { measureOnEngines, type SeededEngine } from '../processes/engines.ts';
import { SQLITE_FILE } from '../processes/seed.ts';
import { openDriver } from '../processes/seed-events.ts';

const SUBMISSIONS = 1_000_000;
const QUICK_SUBMISSIONS = 100_000;
const CONNECTIONS = 16;
const MIN_RATIO = 0.6;
const MAX_MS = 20;
export const ANSWERS = { full_name: 'A person with a name of usual length', course: 'Sailing', seats: 2 };
export const COURSE = {
  title: 'Course',
  fields: [
    { label: 'full_name', type: 'text', is_required: true },
    { label: 'course', type: 'text', is_required: true, options: ['Sailing', 'Rowing'] },
    { label: 'seats', type: 'number', is_required: true, min: 1 },
  ],
};

export function measureForms({ pace }: BenchOptions): Promise<Finding[]> {
  const submissions = pace === QUICK_PACE ? QUICK_SUBMISSIONS : SUBMISSIONS;
  return measureOnEngines({ users: 1_000, tokens: 0 }, async (seeded) => {
    const { engine } = seeded;
    const port = await seeded.start({ LOAD_SHEDDING_MS: 'off' });
    const { id } = await administer<{ id: string }>(port, post('/api/v1/forms', COURSE));
    await administer(port, post(`/api/v1/forms/${id}/publish`, {}));
    const path = `/api/v1/forms/${id}/submissions`;
    const load = seeded.helper<Job, LoadResult>('load/load.ts');
    const requests = [post(path, { answers: ANSWERS })];
    const submit = (milliseconds: number) => load({ port, requests, connections: CONNECTIONS, milliseconds });
    const inserts = await openInserts(seeded, id);
    const [bare = [], service = []] = await measureInTurn([inserts.measure, submit], pace.long);
    await inserts.close();
    const perRound = ratios(rates(service), rates(bare));
    const figures = {
      'insert/s': median(rates(bare)),
      'service/s': median(rates(service)),
      ratio: median(perRound),
      'per round': perRound,
      'p99 ms': median(p99s(service)),
    };
    const target = { figure: 'ratio', atLeast: MIN_RATIO };
    const compared = {
      bench: 'forms',
      what: `${engine}: submission, ${CONNECTIONS} at a time`,
      figures,
      target,
    };
    await insertSubmissions(seeded, id, submissions);
    return [compared, ...(await timeReads(port, engine, path)), await timeExport(port, engine, path)];
  });
}

/** Times the hosted page and a page of the list. */
async function timeReads(port: number, engine: string, path: string): Promise<Finding[]> {
  const page = path.replace(/.*forms(.*)\/submissions$/, '/f$1');
  const list = get(`${path}?held=include&limit=100`, ADMIN_TOKEN);
  const findings: Finding[] = [];
  for (const [name, request] of [
    ['hosted page', get(page)],
    ['list', list],
  ] as const) {
    const { times } = await timeRequests(port, () => request, { warmUp: 3, rounds: 9 });
    const figures = { 'median ms': median(times), 'per round': times };
    const target = { figure: 'median ms', atMost: MAX_MS };
    findings.push({ bench: 'forms', what: `${engine}: ${name}`, figures, target });
  }
  return findings;
}

async function timeExport(port: number, engine: string, path: string): Promise<Finding> {
  const began = performance.now();
  const response = await fetchResponse(port, get(`${path}/export?held=include`, ADMIN_TOKEN));
  let rows = 0;
  for await (const chunk of response.body!) for (const byte of chunk) if (byte === 10) rows++;
  const figures = { rows, 'rows/s': rows / ((performance.now() - began) / 1000) };
  return { bench: 'forms', what: `${engine}: export as NDJSON`, figures, target: null };
}

const COLUMNS = 'id, form_id, version, received_at, held, user_id, answers';

/** Opens the driver that inserts rows one by one, each durable, as many at a time as the service gets. */
async function openInserts({ databaseUrl, dataDir }: SeededEngine, formId: string) {
  const createRow = () => [crypto.randomUUID(), formId, 1, Date.now(), 1, null, JSON.stringify(ANSWERS)];
  const toMeasure = (insert: () => Promise<unknown>) => (milliseconds: number) =>
    repeatUntil(milliseconds, CONNECTIONS, insert);
  if (databaseUrl === null) {
    const sqlite = new SQLite(join(dataDir, SQLITE_FILE));
    sqlite.pragma('synchronous = full');
    const statement = sqlite.prepare(
      `insert into form_submissions (${COLUMNS}) values (?, ?, ?, ?, ?, ?, ?)`,
    );
    return { measure: toMeasure(async () => statement.run(createRow())), close: () => sqlite.close() };
  }
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  const text = `insert into form_submissions (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7)`;
  const insert = () => pool.query({ name: 'insert', text, values: createRow() });
  return { measure: toMeasure(insert), close: () => pool.end() };
}

async function insertSubmissions(seeded: SeededEngine, formId: string, rows: number): Promise<void> {
  const { execute, close } = await openDriver(seeded);
  await execute(`
    insert into form_submissions (${COLUMNS})
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows})
    select '01900000-0000-7000-8000-' || substr(cast(1000000000000 + i as text), 2), '${formId}', 1,
      1700000000000 + i, 0, null, '${JSON.stringify(ANSWERS)}' from n`);
  await execute('analyze form_submissions');
  await close();
}
