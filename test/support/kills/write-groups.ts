/**
 * Writes rows to the SQLite database in DATA_DIR, many at a time, until it is killed. The output has a line for each
 * outcome, as soon as it is known.
 */
import { writeSync } from 'node:fs';
import { sql } from '../../../src/database/database.ts';
import { openDatabase } from '../../../src/database/open.ts';

const WRITERS = 16;
const INSERT = sql('insert into written (id) values ($1)');

const database = openDatabase({ databaseUrl: null, dataDir: process.env.DATA_DIR!, databasePool: 1 });
let count = 0;

async function write(): Promise<never> {
  for (;;) {
    const id = `${process.pid} ${count++}`;
    const isKept = count % 5 > 0;
    const outcome = await database
      .transaction(async (tx) => {
        await tx.run(INSERT, id);
        if (!isKept) throw new Error('rejected');
      })
      .then(
        () => 'stored',
        () => 'rejected',
      );
    writeSync(1, `${outcome} ${id}\n`);
  }
}

for (let writer = 0; writer < WRITERS; writer++) void write();
