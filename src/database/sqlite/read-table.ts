/** Reads a table of a SQLite file of another program, which is not changed. */
import Sqlite from 'better-sqlite3';

/** The file is not a SQLite file with this table, or cannot be read. The message contains no data. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

/** Returns the rows one by one. @throws UnreadableFile */
export function* readTable(file: string, table: string): Generator<Record<string, unknown>> {
  try {
    const opened = new Sqlite(file, { readonly: true, fileMustExist: true });
    try {
      const name = `"${table.replaceAll('"', '""')}"`;
      yield* opened.prepare(`select * from ${name}`).iterate() as Iterable<Record<string, unknown>>;
    } finally {
      opened.close();
    }
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) throw new UnreadableFile(error.message);
    throw error;
  }
}
