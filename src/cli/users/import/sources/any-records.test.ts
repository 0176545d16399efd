import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { EXPORTED_USERS, type ExportedUsers } from '../../../../../test/support/imports/exported-users.ts';
import { CommandError } from '../../../context.ts';
import { importFile, openReport } from '../import-file.ts';
import { openSource } from '../read-source.ts';
import { SOURCES } from './sources.ts';

const CONTEXT = { stdin: Readable.from([]), stderr: new PassThrough(), onInterrupt: () => () => {} };
const NOW = Date.parse('2026-11-22T12:00:00Z');

/** Returns the users of an export as objects. */
function listRecords({ files }: ExportedUsers): object[] {
  const [name, content] = Object.entries(files)[0]!;
  if (name.endsWith('.csv')) return parse(content, { columns: true });
  if (name.endsWith('.ndjson'))
    return content
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const document = JSON.parse(content);
  return (Array.isArray(document) ? document : document.users).filter(
    (each: unknown) => typeof each === 'object',
  );
}

/** A member that has become another value, or is gone. */
const change = fc.record({
  user: fc.nat(20),
  member: fc.nat(20),
  value: fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(undefined, '', 0, -1, 1e300, '9'.repeat(20), '$2b$10$', '\u0000', '\ud800', 'infinity'),
  ),
});

function applyChanges(
  records: readonly object[],
  changes: readonly { user: number; member: number; value: unknown }[],
) {
  const changed = records.map((record) => ({ ...record }) as Record<string, unknown>);
  for (const { user, member, value } of changes) {
    const record = changed[user % changed.length]!;
    const names = Object.keys(record);
    record[names[member % names.length]!] = value;
  }
  return changed;
}

describe('readers of exports', () => {
  const directory = mkdtempSync(join(tmpdir(), 'exports-'));
  after(() => rmSync(directory, { recursive: true }));

  /** Returns the sum of stored and rejected users. */
  async function countOutcomes({ product, files, options }: ExportedUsers, file: string, content: string) {
    const paths = Object.entries(options).map(([option, name]) => {
      writeFileSync(join(directory, name), files[name]!);
      return [option, join(directory, name)];
    });
    const { '--passwords': passwords, '--hash-config': hashConfig } = Object.fromEntries(paths);
    const reader = await openSource(SOURCES[product]!, { passwords, hashConfig, table: undefined }, CONTEXT);
    const report = openReport(undefined, { print() {}, printError() {} });
    const stream = Readable.from([Buffer.from(content)]);
    const now = () => NOW;
    const input = { stream, isInterrupted: () => false, showProgress() {}, close() {} };
    const store = async (entries: readonly unknown[]) => entries.map(() => 'imported' as const);
    const entries = reader.read({ file, input: stream, format: undefined, now });
    await importFile(
      { entries, input, report, store, file: undefined, hashes: { isOwnHash: false, prehash: null } },
      now,
    );
    const { imported, rejected } = report.counts();
    return imported + rejected;
  }

  for (const exported of EXPORTED_USERS) {
    const { product } = exported;
    const { list } = SOURCES[product]!;
    const records = listRecords(exported);

    test(`the reader of ${product} stores or rejects every user, whatever the members are`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(change, { maxLength: 6 }), async (changes) => {
          const changed = applyChanges(records, changes);
          const lines = changed.map((record) => `${JSON.stringify(record)}\n`).join('');
          const asList = JSON.stringify(changed);
          const document = list === null ? lines : JSON.stringify({ [list]: changed });
          assert.equal(await countOutcomes(exported, 'list.json', asList), changed.length);
          assert.equal(await countOutcomes(exported, 'document.json', document), changed.length);
          const columns = [...new Set(records.flatMap(Object.keys))];
          const csv = stringify(
            changed.map((record) => ({ ...record, id: 'x' })),
            {
              header: true,
              columns: [...new Set([...columns, 'id', 'email'])],
              cast: { object: (value) => JSON.stringify(value) },
            },
          );
          assert.equal(await countOutcomes(exported, 'users.csv', csv), changed.length);
        }),
        { numRuns: 15 },
      );
    });

    test(`the reader of ${product} stores or rejects users with an object in place of a text, in any member`, async () => {
      for (const value of [{ toString: null }, [{ toString: null }]]) {
        const [first = {}] = records;
        const changed = Object.keys(first).map((name) => ({ ...first, [name]: value }));
        assert.equal(await countOutcomes(exported, 'objects.json', JSON.stringify(changed)), changed.length);
      }
    });

    test(`the reader of ${product} reads a damaged file to its end, or says that it cannot`, async () => {
      const [name, content] = Object.entries(exported.files)[0]!;
      const damage = fc.record({
        start: fc.nat(content.length),
        length: fc.nat(20),
        text: fc.string({ maxLength: 3 }),
      });
      await fc.assert(
        fc.asyncProperty(damage, async ({ start, length, text }) => {
          const damaged = `${content.slice(0, start)}${text}${content.slice(start + length)}`;
          try {
            await countOutcomes(exported, name, damaged);
          } catch (error) {
            assert.ok(error instanceof CommandError, String(error));
            assert.ok(!error.message.includes('.example'));
          }
        }),
        { numRuns: 15 },
      );
    });
  }

  test('the reader of keycloak rejects a user with an object in place of a parameter of argon2', async () => {
    const keycloak = EXPORTED_USERS.find(({ product }) => product === 'keycloak')!;
    const credential = {
      ...{ type: 'password', secretData: JSON.stringify({ value: 'YWJj', salt: 'YWJj' }) },
      credentialData: JSON.stringify({
        ...{ algorithm: 'argon2', hashIterations: 5 },
        additionalParameters: { type: [{ toString: null }], version: { toString: null } },
      }),
    };
    const users = [{ email: 'objects@keycloak.example', credentials: [credential] }];
    assert.equal(await countOutcomes(keycloak, 'argon2.json', JSON.stringify({ users })), 1);
  });
});
