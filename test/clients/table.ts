/** Writes the table of docs/clients.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Row {
  readonly name: string;
  readonly version: string;
  readonly works: 'defaults' | 'settings' | 'no';
  /** The settings, or why it does not work. */
  readonly text: string;
  /** Whether a client that does not work has a reason. */
  readonly expected: boolean;
}

const FILE = join(import.meta.dirname, '..', '..', 'docs', 'clients.md');
const [BEGIN, END] = ['| Client | Version | Works with | Settings |', '\n\n'];

/** Rows of clients that were skipped stay as they are. */
export function writeTable(rows: readonly Row[]): void {
  const document = readFileSync(FILE, 'utf8');
  const start = document.indexOf(BEGIN);
  const end = document.indexOf(END, start);
  const before = document.slice(start, end).split('\n').slice(2);
  const names = new Set(rows.map(({ name }) => name));
  const kept = before.filter((line) => !names.has(line.split('|')[1]!.trim()));
  const lines = [...kept, ...rows.map(formatRow)].sort((a, b) =>
    a.toLowerCase().localeCompare(b.toLowerCase(), 'en'),
  );
  const table = [BEGIN, '|---|---|---|---|', ...lines].join('\n');
  writeFileSync(FILE, document.slice(0, start) + table + document.slice(end));
}

const WORKS = { defaults: 'defaults', settings: 'settings', no: 'nothing' };

const formatRow = ({ name, version, works, text }: Row) =>
  `| ${name} | ${version} | ${WORKS[works]} | ${text} |`;
