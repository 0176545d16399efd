import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { USER_TABLES } from './user-tables.ts';

const guide = readFileSync(new URL('../../../../docs/accounts.md', import.meta.url), 'utf8');

describe('docs/accounts.md', () => {
  for (const { name, contents, kept, exported } of USER_TABLES)
    test(`docs/accounts.md has the contents and the retention of ${name} under its member of the export`, () => {
      const row = `| \`${exported.member}\` | ${contents} | ${kept} |`;
      assert.ok(guide.split('\n').includes(row), row);
    });
});
