import assert from 'node:assert/strict';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { BackupRejected } from './manifest.ts';
import { readLines, writeCompressed } from './streams.ts';

const LINES = Array.from({ length: 10 }, (_, row) => JSON.stringify(['row', row, 'x'.repeat(row % 7)]));
const ZSTD_MAGIC = Buffer.from('28b52ffd', 'hex');

describe('the bytes of a backup', () => {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-test-'));
  after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'backup');
  const write = async (recipients: string[]) => {
    const text = async function* () {
      for (const line of LINES) yield `${line}\n`;
    };
    await writeCompressed(text(), createWriteStream(file), recipients);
    return readFileSync(file);
  };
  const read = (content: Buffer, identities: string[]) => {
    writeFileSync(file, content);
    return readLines(file, identities, (lines) => Array.fromAsync(lines));
  };

  for (const isEncrypted of [false, true]) {
    test(`every changed, missing and further byte of ${isEncrypted ? 'an encrypted' : 'a'} backup is detected`, async () => {
      const identities = isEncrypted ? [await generateIdentity()] : [];
      const content = await write(await Promise.all(identities.map(identityToRecipient)));
      assert.deepEqual(await read(content, identities), LINES);
      for (let position = 0; position < content.length; position++) {
        const changed = Buffer.from(content);
        changed[position]! ^= 1 << (position % 8);
        await assert.rejects(read(changed, identities), BackupRejected, `${position}`);
      }
      for (const further of [Buffer.from('x'), Buffer.alloc(300_000, 'x'), content])
        await assert.rejects(read(Buffer.concat([content, further]), identities), BackupRejected);
    });
  }

  test('a backup is one frame, which other programs decompress', async () => {
    const content = await write([]);
    assert.deepEqual(zstdDecompressSync(content).toString().trimEnd().split('\n'), LINES);
    assert.equal(content.lastIndexOf(ZSTD_MAGIC), 0);
  });

  test('a backup without a checksum, of an earlier release, is read, and its further bytes are detected', async () => {
    const earlier = (await write([])).subarray(0, -40);
    assert.deepEqual(await read(earlier, []), LINES);
    await assert.rejects(read(Buffer.concat([earlier, Buffer.from('x')]), []), BackupRejected);
  });
});
