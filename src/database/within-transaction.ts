/** A database whose transactions are all parts of one. */
import type { Database, Tx } from './database.ts';
import { listTables } from './tables.ts';

/** Returns the database as code inside `tx` sees it, so that what opens transactions can be part of a larger one. */
export function withinTransaction(database: Database, tx: Tx): Database {
  const run: Database['transaction'] = (work) => work(tx);
  return {
    ...database,
    get: tx.get,
    all: tx.all,
    transaction: run,
    exclusively: run,
    hasTable: async (name) => {
      const tables = await listTables(tx, database.engine);
      return tables.some((table) => table.name === name);
    },
  };
}
