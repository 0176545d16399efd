/** The two connections to a SQLite file, and the check that its name still refers to the file they have open. */
import { statSync } from 'node:fs';
import { DatabaseUnavailable } from '../database.ts';
import { SqliteConnection } from './connection.ts';

export class SqliteFile {
  readonly writer: SqliteConnection;
  readonly reader: SqliteConnection;
  readonly #file: string;
  readonly #inode: number;

  constructor(file: string) {
    this.#file = file;
    this.writer = new SqliteConnection(file, { fileMustExist: false, readOnly: false });
    this.reader = new SqliteConnection(file, { fileMustExist: true, readOnly: true });
    this.#inode = statSync(file).ino;
  }

  /** Checks that the file was not moved or replaced: writes would be lost. @throws DatabaseUnavailable */
  check(): void {
    const inode = this.#currentInode();
    if (inode === this.#inode) return;
    const what =
      inode === undefined ? 'is gone: put it back' : 'was replaced by another file: restart to use it';
    throw new DatabaseUnavailable(`${this.#file} ${what}`);
  }

  /** Returns undefined when there is no file. Other errors: an unreadable directory, a circular link. */
  #currentInode(): number | undefined {
    try {
      return statSync(this.#file, { throwIfNoEntry: false })?.ino;
    } catch (error) {
      throw new DatabaseUnavailable(error);
    }
  }

  /** Empties the journal, because SQLite leaves that of a moved file behind for the next file of that name. */
  close(): void {
    this.reader.close();
    this.writer.emptyJournal();
    this.writer.close();
  }
}
