import { readFileSync } from 'node:fs';
import type { Dialect, Engine } from '../database.ts';
import type { Migration } from './migration.ts';

/** The schema that the migrations 1 to 43 of earlier releases have made. */
export const baseline: Migration = {
  version: 43,
  name: 'baseline',
  kind: 'expand',
  statements: (dialect) => [
    ...['accounts', 'messages', 'administration', 'sign-in', 'forms'].flatMap((name) =>
      readStatements(name, dialect),
    ),
    ...createSearch(dialect),
  ],
};

/** Types in braces are members of the dialect. */
function readStatements(name: string, dialect: Dialect): string[] {
  const text = readFileSync(new URL(`./baseline/${name}.sql`, import.meta.url), 'utf8');
  const statements = text.replace(/\{(\w+)\}/g, (_, member) => dialect[member as keyof Dialect]).split(/;\n/);
  return statements.filter((statement) => statement.trim() !== '');
}

/** An index of the trigrams of `user_texts`, a table of its own because PostgreSQL writes all indexes of a row anew. */
export function createSearch({ engine }: Dialect): readonly string[] {
  return STATEMENTS[engine];
}

const STATEMENTS: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: [
    // With a number for FTS5, which refers to rows by it.
    `create table user_texts (
      id integer primary key,
      user_id text not null unique references users (id) on delete cascade,
      content text not null
    ) strict`,
    // Without positions and sizes: it finds candidates, which are compared afterwards.
    `create virtual table user_trigrams using fts5 (
      content, content = 'user_texts', content_rowid = 'id',
      tokenize = 'trigram case_sensitive 1', detail = none, columnsize = 0)`,
    // Texts whose trigrams stay in the index, marked as deleted, until it is merged.
    'create table deleted_texts (total integer not null) strict',
    'insert into deleted_texts (total) values (0)',
    `create trigger user_texts_insert after insert on user_texts begin
      insert into user_trigrams (rowid, content) values (new.id, new.content);
    end`,
    `create trigger user_texts_delete after delete on user_texts begin
      insert into user_trigrams (user_trigrams, rowid, content) values ('delete', old.id, old.content);
      update deleted_texts set total = total + 1;
    end`,
    `create trigger user_texts_update after update of content on user_texts begin
      insert into user_trigrams (user_trigrams, rowid, content) values ('delete', old.id, old.content);
      insert into user_trigrams (rowid, content) values (new.id, new.content);
      update deleted_texts set total = total + 1;
    end`,
  ],
  postgresql: [
    `create table user_texts (
      user_id text collate "C" primary key references users (id) on delete cascade,
      content text collate "C" not null
    )`,
    // Not pg_trgm: it knows letters by the locale of the database, and roles may lack the right to create it.
    `create function text_trigrams(content text) returns text[]
      language sql immutable strict parallel safe as $$
        select array_agg(distinct substr(content, start, 3)) from generate_series(1, length(content) - 2) as start
      $$`,
    // Entries wait in a short list, whose end costs the write that fills it some milliseconds.
    `create index user_texts_trigrams on user_texts using gin (text_trigrams(content))
      with (gin_pending_list_limit = 256)`,
  ],
};
