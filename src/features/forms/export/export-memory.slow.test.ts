/** Exports of a million submissions: complete, in memory that does not grow with their number. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, beforeEach, test } from 'node:test';
import { streamXlsxRows } from 'hucre';
import { FORMS, publishTestForm } from '../../../../test/support/forms.ts';
import { type ServiceProcess, startProcess } from '../../../../test/support/processes/process.ts';
import {
  createTestDatabase,
  describeOnEachEngine,
  type TestDatabase,
} from '../../../../test/support/runner/engines.ts';
import { admin } from '../../../../test/support/service.ts';
import { sql } from '../../../database/database.ts';
import { openDatabase } from '../../../database/open.ts';

const SUBMISSIONS = 1_000_000;
/** Rows per statement: the time of a statement is limited. */
const BATCH = 50_000;
/** Memory of the process. V8's heap depends on the speed of the machine; rows that are kept would need more than this. */
const MAX_MB = 340;
/** As the service is started. */
const NODE_OPTIONS = '--max-semi-space-size=16 --expose-gc';

const INSERT = sql(`
  with recursive n (i) as (
    select cast($2 as bigint) union all select i + 1 from n where i < cast($3 as bigint))
  insert into form_submissions (id, form_id, version, received_at, held, user_id, answers)
  select '01900000-0000-7000-8000-' || substr(cast(1000000000000 + i as text), 2), $1, 1, 1700000000000 + i, 0,
    null, '{"full_name":"A person with a name of usual length, number ' || cast(i as text) || '"}'
  from n`);

async function insertSubmissions({ url, directory }: TestDatabase, formId: string): Promise<void> {
  const database = openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 1 });
  for (let from = 1; from <= SUBMISSIONS; from += BATCH)
    await database.transaction((tx) => tx.run(INSERT, formId, from, from + BATCH - 1));
  // As the database does in the background.
  if (url !== null) await database.transaction((tx) => tx.run(sql('analyze form_submissions')));
  await database.close();
}

describeOnEachEngine('an export of a million submissions', (engine) => {
  let testDatabase: TestDatabase;
  let service: ServiceProcess;
  let path: string;

  const start = () => startProcess(testDatabase, { LOG_LEVEL: 'warn', NODE_OPTIONS });

  before(async () => {
    testDatabase = await createTestDatabase(engine);
    service = await start();
    path = await publishTestForm(service);
    await insertSubmissions(testDatabase, path.slice(`${FORMS}/`.length));
  });
  beforeEach(async () => {
    await service.kill('SIGTERM');
    service = await start();
  });
  after(async () => {
    await service?.kill('SIGTERM');
    await testDatabase?.remove();
  });

  /** Returns memory of the process: what it has (`VmRSS`), or the most that it had (`VmHWM`). */
  const readMegabytes = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))![1]) /
    1024;

  /** Yields what is received, and checks the memory of the service. */
  async function* download(format: string, report: (text: string) => void) {
    const before = readMegabytes('VmRSS');
    const [began, headers] = [performance.now(), { authorization: `Bearer ${admin.token}` }];
    const response = await fetch(`${service.api.url}${path}/submissions/export?format=${format}`, {
      headers,
    });
    let size = 0;
    for await (const chunk of response.body! as ReadableStream<Uint8Array>) {
      size += chunk.length;
      yield chunk;
    }
    const rate = Math.round(SUBMISSIONS / ((performance.now() - began) / 1000));
    const memory = `${before.toFixed()} MB before, at most ${readMegabytes('VmHWM').toFixed()} MB`;
    report(`${rate} rows/s, ${(size / 1e6).toFixed()} MB; ${memory}`);
    assert.ok(readMegabytes('VmHWM') <= MAX_MB, memory);
  }

  const formats = [
    ['ndjson', 0, countLines],
    ['csv', 1, countLines],
    ['xlsx', 2, countSheetRows],
  ] as const;
  for (const [format, headerRows, countRows] of formats) {
    test(`an export as ${format} has every row, and the process needs at most ${MAX_MB} MB`, async (context) => {
      const rows = await countRows(download(format, (text) => context.diagnostic(text)));
      assert.equal(rows, SUBMISSIONS + headerRows);
    });
  }
});

async function countLines(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let lines = 0;
  for await (const chunk of chunks) for (const byte of chunk) if (byte === 10) lines++;
  return lines;
}

async function countSheetRows(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let rows = 0;
  for await (const _ of streamXlsxRows(Buffer.concat(await Array.fromAsync(chunks)))) rows++;
  return rows;
}
