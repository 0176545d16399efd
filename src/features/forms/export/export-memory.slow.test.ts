/** Exports of a million submissions: complete, in memory that does not grow with their number. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { AS_ADMIN, FORMS, publishTestForm } from '../../../../test/support/forms.ts';
import { type ServiceProcess, startProcess } from '../../../../test/support/processes/process.ts';
import {
  createTestDatabase,
  describeOnEachEngine,
  type TestDatabase,
} from '../../../../test/support/runner/engines.ts';
import { sql } from '../../../database/database.ts';
import { openDatabase } from '../../../database/open.ts';

const SUBMISSIONS = 1_000_000;
/** Rows per statement: the time of a statement is limited. */
const BATCH = 50_000;
const MAX_GROWTH_MB = 50;

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

  before(async () => {
    testDatabase = await createTestDatabase(engine);
    service = await startProcess(testDatabase, { LOG_LEVEL: 'warn' });
    path = await publishTestForm(service);
    await insertSubmissions(testDatabase, path.slice(`${FORMS}/`.length));
    // The heap grows once to its working size: with rows of PostgreSQL by about 120 MB before they are collected.
    for await (const _ of (await startExport('ndjson')).body!);
  });
  after(async () => {
    await service?.kill('SIGTERM');
    await testDatabase?.remove();
  });

  const startExport = (format: string) =>
    fetch(`${service.api.url}${path}/submissions/export?format=${format}`, {
      headers: { authorization: `Bearer ${AS_ADMIN.token}` },
    });
  const readMegabytes = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))![1]) / 1024;

  for (const format of ['ndjson', 'csv']) {
    test(`an export as ${format} has every line, and needs at most ${MAX_GROWTH_MB} MB more than before`, async (context) => {
      const idle = readMegabytes();
      const began = performance.now();
      const response = await startExport(format);
      let [lines, peak, chunks] = [0, 0, 0];
      for await (const chunk of response.body!) {
        for (const byte of chunk as Uint8Array) if (byte === 10) lines++;
        if (chunks++ % 50 === 0) peak = Math.max(peak, readMegabytes());
      }
      const seconds = (performance.now() - began) / 1000;
      context.diagnostic(
        `${Math.round(SUBMISSIONS / seconds)} rows/s; ${idle.toFixed()} MB before, ${peak.toFixed()} MB`,
      );
      assert.equal(lines, SUBMISSIONS + (format === 'csv' ? 1 : 0));
      assert.ok(peak - idle <= MAX_GROWTH_MB, `${idle} MB before, at most ${peak} MB`);
    });
  }
});
