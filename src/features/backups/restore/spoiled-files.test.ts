import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  createBackup,
  readDigests,
  runBackup,
  SECRET_KEY,
  withOpened,
} from '../../../../test/support/backups.ts';
import { openTestDatabase } from '../../../../test/support/database.ts';
import {
  createCurrentDatabase,
  createTestDatabase,
  describeOnEachEngine,
  type TestDatabase,
} from '../../../../test/support/runner/engines.ts';
import { startService } from '../../../../test/support/service.ts';
import { register } from '../../../../test/support/users.ts';
import { listStoredTables, SESSION_TABLES } from '../format/manifest.ts';

type Lines = string[];

const isTable = (line: string) => line.startsWith('{"table"');
/** Returns the position of the first row of a table. */
const findRow = (lines: Lines, table: string) =>
  lines.findIndex((line) => line.startsWith(`{"table":"${table}"`)) + 1;

/** Changes the object in a line. */
function edit(lines: Lines, index: number, change: (value: Record<string, unknown>) => object): void {
  lines[index] = JSON.stringify(change(JSON.parse(lines[index]!)));
}

/** Computes the trailer anew, as an attacker would. */
function recompute(lines: Lines): void {
  const { trailer } = JSON.parse(lines.at(-1)!);
  for (const [index, line] of lines.entries()) {
    if (!isTable(line)) continue;
    const end = lines.findIndex((other, position) => position > index && !other.startsWith('['));
    const rows = lines.slice(index + 1, end);
    const sha256 = createHash('sha256')
      .update(rows.map((row) => `${row}\n`).join(''))
      .digest('hex');
    trailer.tables[JSON.parse(line).table] = { rows: rows.length, sha256 };
  }
  lines[lines.length - 1] = JSON.stringify({ trailer });
}

const spoil = (change: (lines: Lines) => unknown) => (content: Buffer) => {
  const lines = zstdDecompressSync(content).toString().trimEnd().split('\n');
  change(lines);
  return zstdCompressSync(`${lines.join('\n')}\n`);
};

function flip(content: Buffer): Buffer {
  const copy = Buffer.from(content);
  const middle = Math.floor(copy.length / 2);
  copy[middle]! ^= 1;
  return copy;
}

function editEvent(lines: Lines): void {
  const row = findRow(lines, 'events');
  lines[row] = lines[row]!.replace(/"user\.\w+"/, '"user.erased"');
  recompute(lines);
}

function moveTable(lines: Lines): void {
  const start = findRow(lines, 'users') - 1;
  const end = lines.findIndex((line, index) => index > start && isTable(line));
  const users = lines.splice(start, end - start);
  lines.splice(-1, 0, ...users);
}

function removeTable(lines: Lines): void {
  const start = findRow(lines, 'counters') - 1;
  const end = lines.findIndex((line, index) => index > start && isTable(line));
  lines.splice(start, end - start);
}

const CASES: Readonly<Record<string, readonly [(content: Buffer) => Buffer, RegExp]>> = {
  'that was cut off': [(content) => content.subarray(0, -20), /cut off/],
  'whose end is missing': [spoil((lines) => lines.pop()), /cut off/],
  'with a flipped byte': [flip, /damaged/],
  'that is empty': [() => Buffer.alloc(0), /is empty/],
  'that is no backup': [() => Buffer.from('SQLite format 3\0 and so on'), /no backup of Frontdesk/],
  'of another program': [() => zstdCompressSync('{"name":"x"}\n'), /no backup of Frontdesk/],
  'of another SECRET_KEY': [
    spoil((lines) => edit(lines, 0, (manifest) => ({ ...manifest, key_fingerprint: '0123456789abcdef' }))),
    /another SECRET_KEY/,
  ],
  'of a newer schema': [
    spoil((lines) => edit(lines, 0, (manifest) => ({ ...manifest, schema: 9_999 }))),
    /newer/,
  ],
  'without one of its rows': [
    spoil((lines) => lines.splice(findRow(lines, 'tokens'), 1)),
    /tokens has 1 rows, its end states 2/,
  ],
  'with a further row': [
    spoil((lines) => {
      const row = findRow(lines, 'users');
      const added = JSON.parse(lines[row]!).map((value: unknown, index: number) =>
        [0, 3].includes(index) ? `${value}0` : value,
      );
      lines.splice(row, 0, JSON.stringify(added));
    }),
    /users has 3 rows, its end states 2/,
  ],
  'with a changed row': [
    spoil((lines) => {
      const row = findRow(lines, 'users');
      lines[row] = lines[row]!.replace('User', 'Oser');
    }),
    /rows of users were changed/,
  ],
  'with an edited event and a new end': [spoil(editEvent), /event 1: its content was edited/],
  'without a table': [spoil(removeTable), /where the table counters should be/],
  'with tables in another order': [spoil(moveTable), /where the table users should be/],
  'with the end of another backup': [
    spoil((lines) =>
      edit(lines, lines.length - 1, ({ trailer }) => ({
        trailer: { ...(trailer as object), id: 'another' },
      })),
    ),
    /end is that of another backup/,
  ],
  'with a huge row': [
    spoil((lines) => lines.splice(findRow(lines, 'users'), 0, `["${'x'.repeat(20_000_000)}"]`)),
    /row that is too long/,
  ],
  'with a path as the name of a table': [
    spoil((lines) =>
      edit(lines, findRow(lines, 'users') - 1, (table) => ({ ...table, table: '../../users' })),
    ),
    /where the table users should be/,
  ],
  'with further columns': [
    spoil((lines) =>
      edit(lines, findRow(lines, 'users') - 1, (table) => ({ ...table, columns: ['id"; --'] })),
    ),
    /columns of users/,
  ],
  'that goes on after its end': [spoil((lines) => lines.push(lines.at(-1)!)), /goes on after its end/],
};

describeOnEachEngine('a spoiled backup', (engine) => {
  let source: TestDatabase;
  let target: TestDatabase;
  let content: Buffer;
  before(async () => {
    source = await createCurrentDatabase(engine);
    target = await createCurrentDatabase(engine);
    for (const testDatabase of [source, target]) {
      const service = await startService(engine, { testDatabase, environment: { SECRET_KEY } });
      for (let count = 0; count < 2; count++) await register(service);
      await service.stop();
    }
    content = readFileSync(await createBackup(source));
  });
  after(async () => {
    for (const { remove } of [source, target]) await remove();
  });

  // What is wrong is found alike on both engines, whose databases are replaced in their own ways.
  const cases = Object.entries(CASES).slice(engine === 'sqlite' ? 0 : -3);
  for (const [name, [change, reason]] of cases) {
    test(`cli backup restore rejects a backup ${name}, and changes nothing`, async () => {
      const [all, names] = [await readDigests(target, () => true), readdirSync(target.directory).sort()];
      const file = join(source.directory, 'spoiled.zst');
      writeFileSync(file, change(content));
      const { code, lines } = await runBackup(target, ['restore', file, '--replace']);
      assert.equal(code, 1);
      assert.match(lines.join('\n'), reason);
      assert.match(lines.join('\n'), /^backup: .*spoiled\.zst is rejected: /);
      assert.deepEqual(await readDigests(target, () => true), all);
      assert.deepEqual(readdirSync(target.directory).sort(), names);
    });
  }

  test('cli backup restore reads the sessions in a backup of an earlier release, and stores none', async () => {
    const target = await createTestDatabase(engine);
    const tables = await withOpened(source, (database) => listStoredTables(database, database.engine));
    const lines = zstdDecompressSync(content).toString().trimEnd().split('\n');
    const [user] = JSON.parse(lines[findRow(lines, 'users')]!);
    const values = { integer: 1, text: user, float: 1, bytes: null };
    // From the last one, which the others precede.
    for (const [index, { name, columns }] of [...tables.entries()].reverse()) {
      if (!SESSION_TABLES.includes(name)) continue;
      const header = { table: name, columns: columns.map((column) => column.name) };
      const rows = name === 'sign_in_sessions' ? [columns.map(({ kind }) => values[kind])] : [];
      const position = findRow(lines, tables[index + 1]!.name) - 1;
      lines.splice(position, 0, ...[header, ...rows].map((line) => JSON.stringify(line)));
    }
    recompute(lines);
    const file = join(source.directory, 'earlier.zst');
    writeFileSync(file, zstdCompressSync(`${lines.join('\n')}\n`));
    const result = await runBackup(target, ['restore', file]);
    assert.equal(result.code, 0, result.lines.join());
    const digests = await readDigests(target, (name) => SESSION_TABLES.includes(name) || name === 'tokens');
    for (const digest of Object.values(digests)) assert.match(digest, /^0 /);
    await target.remove();
  });

  if (engine === 'postgres') return;

  test('cli backup restore leaves an empty directory empty when it rejects a backup', async (context) => {
    const empty = await openTestDatabase(context, engine);
    const file = join(source.directory, 'spoiled.zst');
    writeFileSync(file, flip(content));
    assert.equal((await runBackup(empty, ['restore', file])).code, 1);
    assert.deepEqual(
      readdirSync(empty.directory).filter((name) => !name.endsWith('-lock')),
      [],
    );
  });
});
