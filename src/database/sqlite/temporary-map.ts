/** A map on disk, in a temporary file of SQLite that nobody else can open and that is deleted with the process. */
import Sqlite from 'better-sqlite3';

/** Creates a map for more entries than memory should hold. */
export function createTemporaryMap() {
  // An empty name is a temporary file, which SQLite keeps in memory as long as it is small.
  const file = new Sqlite('');
  file.pragma('journal_mode = off');
  file.exec('create table entries (key text primary key, value text not null) without rowid');
  const add = file.prepare('insert into entries values (?, ?) on conflict do nothing');
  const get = file.prepare('select value from entries where key = ?').pluck();
  const take = file.prepare('delete from entries where key = ? returning value').pluck();
  const count = file.prepare('select count(*) from entries').pluck();
  return {
    /** Returns whether the key is new; an existing entry is not changed. */
    add: (key: string, value: string) => add.run(key, value).changes === 1,
    get: (key: string) => get.get(key) as string | undefined,
    take: (key: string) => take.get(key) as string | undefined,
    size: () => Number(count.get()),
    close: () => file.close(),
  };
}
