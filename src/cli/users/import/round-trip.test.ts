import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { anyText } from '../../../../test/support/arbitrary-text.ts';
import { csvFormat } from '../../../features/users/export-users.ts';
import { readEntries } from './read-file.ts';
import type { FileRecord } from './read-records.ts';

const COLUMNS = ['email', 'name', 'level'];
const TROUBLE = ['=', '+', '-', '@', '\t', '\r', '\n', "'", '"', ',', ' ', '＝', '\ufeff', 'a'];

async function readBack(rows: readonly object[]): Promise<FileRecord[]> {
  const file = stringify([...rows], { header: true, ...csvFormat(COLUMNS) });
  const entries: FileRecord[] = [];
  for await (const entry of readEntries(Readable.from([Buffer.from(file)]), 'csv')) entries.push(entry);
  return entries;
}

describe('a CSV file of an export', () => {
  test('a CSV file of an export has the same values when it is imported, whatever they are', async () => {
    const value = fc.oneof(fc.string({ unit: fc.constantFrom(...TROUBLE), maxLength: 6 }), anyText());
    // Not all empty: such a line counts as none.
    const row = fc.record({ email: value.map((text) => `${text}e`), name: value, level: value });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 5 }), async (rows) => {
        const members = (await readBack(rows)).map((entry) => ('members' in entry ? entry.members : entry));
        assert.deepEqual(
          members.map((each) => ({ ...each })),
          rows.map((each) => ({ ...each })),
        );
      }),
    );
  });

  test('a CSV file of an export does not change passwords and hashes of other services', async () => {
    const file = "email,password,password_hash\na@example.com,'=secret,'+hash\n'+b@example.com,,\n";
    const entries: unknown[] = [];
    for await (const entry of readEntries(Readable.from([Buffer.from(file)]), 'csv')) entries.push(entry);
    assert.deepEqual(entries, [
      { line: 2, members: { email: 'a@example.com', password: "'=secret", password_hash: "'+hash" } },
      { line: 3, members: { email: '+b@example.com', password: '', password_hash: '' } },
    ]);
  });
});
