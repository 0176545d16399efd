import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLog } from '../lib/log/log.ts';
import { createMigrationLog } from './prepare-database.ts';

describe('the report of a migration', () => {
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
    const report = createMigrationLog(createLog('info', destination));
    await report({ version: 8, name: 'self-service', step: 1, steps: 2 });
    assert.equal(written.length, 1);
    const { time: _, ...members } = JSON.parse(written[0]!);
    const msg = 'migrating the database: step 1 of 2 (self-service)';
    assert.deepEqual(members, { level: 30, migration: 8, step: 1, steps: 2, msg });
  });
});
