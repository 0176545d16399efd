/**
 * The end of a backup: a skippable frame of zstd (RFC 8878 section 3.1.2) with the SHA-256 of all bytes before the digest.
 * The checksum of the other frame covers its content only, which several changes of its bytes leave as it is.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { BackupRejected } from './manifest.ts';

/** Magic number, of which the last four bits are free, and the length of the digest. */
const HEADER = Buffer.from('5e2a4d1820000000', 'hex');
const DIGEST_LENGTH = 32;

/** Adds the frame. */
export async function* seal(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  yield Buffer.concat([HEADER, hash.update(HEADER).digest()]);
}

/** Verifies the frame. Releases before it have written none. @throws BackupRejected */
export async function checkSeal(file: string): Promise<void> {
  const handle = await open(file);
  const end = Buffer.alloc(HEADER.length + DIGEST_LENGTH);
  const { size } = await handle.stat();
  await handle.read(end, 0, end.length, Math.max(0, size - end.length)).finally(() => handle.close());
  if (end.readUInt32LE() >>> 4 !== HEADER.readUInt32LE() >>> 4) return;
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { end: size - DIGEST_LENGTH - 1 }), hash);
  if (!hash.digest().equals(end.subarray(HEADER.length)))
    throw new BackupRejected('it is damaged: its checksum is wrong');
}
