import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFile, openReport } from './import-file.ts';
import type { InputFile } from './read-file.ts';

const input = { isInterrupted: () => false, showProgress: () => undefined } as unknown as InputFile;
const report = openReport(undefined, { print: assert.fail, printError: assert.fail });

/** Returns the number of users of each batch of a file with this number of users. */
async function listBatches(users: number, members: object): Promise<number[]> {
  const sizes: number[] = [];
  const entries = async function* () {
    for (let line = 1; line <= users; line++)
      yield { line, members: { ...members, email: `${line}@example.com` } };
  };
  const file = { input, report, file: undefined, hashes: { isOwnHash: false, prehash: null } };
  const store = async ({ length }: { readonly length: number }) => {
    sizes.push(length);
    return Array<'imported'>(length).fill('imported');
  };
  await importFile({ ...file, entries: entries(), store }, Date.now);
  return sizes;
}

test('an import stores 2,000 users at once, and 500 whose passwords have to be hashed', async () => {
  assert.deepEqual(await listBatches(4_001, {}), [2_000, 2_000, 1]);
  assert.deepEqual(await listBatches(1_001, { password: 'correct horse battery' }), [500, 500, 1]);
});
