import { readFileSync } from 'node:fs';
import type { Dialect } from '../database.ts';
import { createSearch } from './baseline/search.ts';
import type { Migration } from './migration.ts';

/** The schema that the migrations 1 to 27 of earlier releases have made. */
export const baseline: Migration = {
  version: 27,
  name: 'baseline',
  statements: (dialect) => [
    ...['accounts', 'messages', 'administration'].flatMap((name) => readStatements(name, dialect)),
    ...createSearch(dialect),
  ],
};

/** Types in braces are members of the dialect. */
function readStatements(name: string, dialect: Dialect): string[] {
  const text = readFileSync(new URL(`./baseline/${name}.sql`, import.meta.url), 'utf8');
  const statements = text.replace(/\{(\w+)\}/g, (_, member) => dialect[member as keyof Dialect]).split(/;\n/);
  return statements.filter((statement) => statement.trim() !== '');
}
