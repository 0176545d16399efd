import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLog } from '../lib/log/log.ts';
import { createMigrationReport, writeToLog } from './migration-report.ts';

const PART = { version: 8, name: 'self-service', step: 1, steps: 2, statement: 1, statements: 20 };

describe('the report of a migration', () => {
  test('the migration report has a line at the beginning of each step, and then one a second', async () => {
    const lines: string[] = [];
    let now = 0;
    const report = createMigrationReport(
      (text) => void lines.push(text),
      () => now,
    );
    await report(PART);
    now = 999;
    await report({ ...PART, statement: 2 });
    now = 1_000;
    await report({ ...PART, statement: 3 });
    await report({ ...PART, statement: 3, rows: { done: 500, total: 9_000 } });
    now = 2_500;
    await report({ ...PART, statement: 3, rows: { done: 1_000, total: 9_000 } });
    await report({ ...PART, version: 9, name: 'console sessions', step: 2, statements: 1 });
    assert.deepEqual(lines, [
      'migrating the database: step 1 of 2 (self-service), statement 1 of 20',
      'migrating the database: step 1 of 2 (self-service), statement 3 of 20',
      'migrating the database: step 1 of 2 (self-service), statement 3 of 20, row 1000 of 9000',
      'migrating the database: step 2 of 2 (console sessions), statement 1 of 1',
    ]);
  });

  test('the migration report is written to the log before the next statement blocks the event loop', async () => {
    const written: string[] = [];
    let buffer = '';
    const destination = {
      write: (line: string) => {
        buffer += line;
      },
      flush: (done: () => void) => {
        setImmediate(() => {
          written.push(buffer);
          done();
        });
      },
    };
    const report = createMigrationReport(writeToLog(createLog('info', destination)));
    await report({ ...PART, rows: { done: 1, total: 2 } });
    assert.equal(written.length, 1);
    const { time: _, msg, ...members } = JSON.parse(written[0]!);
    assert.match(msg, /^migrating the database: step 1 of 2/);
    const rows = { done: 1, total: 2 };
    assert.deepEqual(members, {
      level: 30,
      migration: 8,
      step: 1,
      steps: 2,
      statement: 1,
      statements: 20,
      rows,
    });
  });
});
