/**
 * Tables of the floors, copied from those of the service: only the columns that the measured requests need, times
 * as the text that is sent, no secondary index.
 */
import SQLite from 'better-sqlite3';
import pg from 'pg';

/** Copies a database of the service, which must not be in use, into a new file for the floor. */
export function createSqliteFloor(serviceFile: string, floorFile: string): void {
  const sqlite = new SQLite(floorFile);
  const time = (column: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`;
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = FULL');
  sqlite.prepare('attach ? as service').run(serviceFile);
  sqlite.exec(`
    create table users (
      id text primary key, name text, email text, level text, state text not null, email_verified_at text,
      last_login_at text, created_at text not null, updated_at text not null, version integer not null
    ) strict, without rowid;
    create table tokens (
      hash text primary key, user_id text not null, expires_at integer not null
    ) strict, without rowid;
    insert into users
      select id, name, email, level, state, ${time('email_verified_at')}, ${time('last_login_at')},
             ${time('created_at')},
             ${time('updated_at')}, version
      from service.users order by id;
    insert into tokens select hash, user_id, expires_at from service.tokens order by hash;
  `);
  sqlite.close();
}

/** Copies the tables of the service into the schema `floor` of the same PostgreSQL database. */
export async function createPostgresFloor(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const time = (column: string) =>
    `to_char(to_timestamp(${column} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  await client.query(`
    create schema floor;
    create table floor.users as
      select id, name, email, level, state, ${time('email_verified_at')} as email_verified_at,
             ${time('last_login_at')} as last_login_at,
             ${time('created_at')} as created_at, ${time('updated_at')} as updated_at, version
      from users;
    alter table floor.users add primary key (id);
    create table floor.tokens as select hash, user_id, expires_at from tokens;
    alter table floor.tokens add primary key (hash);
  `);
  // Statistics for the planner, on the tables of both sides.
  await client.query('vacuum analyze');
  await client.end();
}
