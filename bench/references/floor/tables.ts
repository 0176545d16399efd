/**
 * Tables of the floor, copied from those of the service: only the columns that the measured requests need, times
 * as the text that is sent, no secondary index.
 */
import SQLite from 'better-sqlite3';

/** Copies a database of the service, which must not be in use, into a new file for the floor. */
export function createSqliteFloor(serviceFile: string, floorFile: string): void {
  const sqlite = new SQLite(floorFile);
  const time = (column: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`;
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = FULL');
  sqlite.prepare('attach ? as service').run(serviceFile);
  sqlite.exec(`
    create table users (
      id text primary key, name text, email text, level text, state text not null, locale text,
      zoneinfo text, role text, email_verified_at text, last_login_at text, totp_enabled_at text, created_at text not null,
      updated_at text not null, version integer not null
    ) strict, without rowid;
    create table tokens (
      hash text primary key, user_id text not null, expires_at integer not null
    ) strict, without rowid;
    insert into users
      select id, name, email, level, state, locale, zoneinfo, role, ${time('email_verified_at')}, ${time('last_login_at')},
             ${time('totp_enabled_at')}, ${time('created_at')}, ${time('updated_at')}, version
      from service.users order by id;
    insert into tokens select hash, user_id, expires_at from service.tokens order by hash;
  `);
  sqlite.close();
}
