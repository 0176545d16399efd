/** The bytes of a backup: lines, compressed by zstd, and encrypted by age for a recipient, with a seal at their end. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { BackupRejected } from './manifest.ts';

/** A row is far shorter: requests have at most 64 KiB. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const AGE_HEADER = 'age-encryption.org/v1\n';
const ZSTD_MAGIC = 'fd2fb528'.match(/../g)!.reverse().join('');

/** Writes the text, encrypted if there are recipients. `output` is ended, unless it is that of the process. */
export async function writeCompressed(
  text: AsyncIterable<string>,
  output: Writable,
  recipients: readonly string[],
): Promise<void> {
  const zstd = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  const plain = (bytes: AsyncIterable<Uint8Array>) => bytes;
  const encode = recipients.length === 0 ? plain : encryptFor(recipients);
  const written = pipeline(zstd, seal, encode, output, { end: output !== process.stdout });
  await Promise.all([compress(text, zstd), written]);
}

/** Waits for each part: if some wait at the end, Node writes an empty second frame. */
async function compress(text: AsyncIterable<string>, zstd: Writable): Promise<void> {
  const write = promisify((part: string, done: (error?: Error | null) => void) => zstd.write(part, done));
  try {
    for await (const part of text) await write(part);
    zstd.end();
  } catch (error) {
    zstd.destroy(error as Error);
    throw error;
  }
}

const encryptFor = (recipients: readonly string[]) =>
  async function* (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { Encrypter } = await import('age-encryption');
    const encrypter = new Encrypter();
    for (const recipient of recipients) encrypter.addRecipient(recipient);
    yield* await encrypter.encrypt(toWebStream(bytes));
  };

/** Reads the lines of a file with `use`. `identities`: secret keys of age for an encrypted one. @throws BackupRejected */
export async function readLines<T>(
  file: string,
  identities: readonly string[],
  use: (lines: AsyncIterable<string>) => Promise<T>,
): Promise<T> {
  const isEncrypted = await findEncryption(file);
  if (isEncrypted && identities.length === 0)
    throw new BackupRejected('it is encrypted: name the file of the key by --identity');
  const zstd = createZstdDecompress();
  let length = 0;
  const decode = async function* (file: AsyncIterable<Uint8Array>) {
    for await (const bytes of isEncrypted ? decrypt(file, identities) : file) {
      length += bytes.length;
      yield bytes;
    }
  };
  try {
    if (!isEncrypted) await checkSeal(file);
    const lines = async (plain: AsyncIterable<Buffer>) => use(splitLines(plain));
    const result = await pipeline(createReadStream(file), decode, zstd, lines);
    // The decoder ignores what follows a frame unless it is another one.
    if (zstd.bytesWritten !== length) throw new BackupRejected('it goes on after its end');
    return result;
  } catch (error) {
    throw describeDamage(error);
  }
}

async function findEncryption(file: string): Promise<boolean> {
  const handle = await open(file).catch(rejectUnreadable);
  try {
    const start = Buffer.alloc(AGE_HEADER.length);
    const { bytesRead } = await handle.read(start).catch(rejectUnreadable);
    if (bytesRead === 0) throw new BackupRejected('it is empty');
    if (start.toString('latin1') === AGE_HEADER) return true;
    if (start.toString('hex').startsWith(ZSTD_MAGIC)) return false;
    throw new BackupRejected('it is no backup of Frontdesk');
  } finally {
    await handle.close();
  }
}

function rejectUnreadable(error: NodeJS.ErrnoException): never {
  throw new BackupRejected(`it cannot be read: ${error.code}`);
}

/** Returns the secret keys of age in the text of a file. @throws BackupRejected */
export function readIdentities(file: string, text: string): readonly string[] {
  const keys = text.match(/^AGE-SECRET-KEY-[0-9A-Z-]+$/gm);
  if (keys === null) throw new BackupRejected(`${file} contains no key of age (AGE-SECRET-KEY-…)`);
  return keys;
}

async function* decrypt(bytes: AsyncIterable<Uint8Array>, keys: readonly string[]) {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  for (const key of keys) decrypter.addIdentity(key);
  try {
    yield* await decrypter.decrypt(toWebStream(bytes));
  } catch (error) {
    throw new BackupRejected(`it cannot be decrypted: ${(error as Error).message}`);
  }
}

function toWebStream(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(bytes)) as ReadableStream<Uint8Array>;
}

async function* splitLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield decoder.decode(Buffer.concat([...rest, chunk.subarray(start, end)]));
      [rest, size, start] = [[], 0, end + 1];
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > MAX_LINE_BYTES) throw new BackupRejected('it has a row that is too long');
  }
  if (size > 0) throw new BackupRejected('it was cut off');
}

function describeDamage(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const isDamage =
    code.startsWith('ZSTD_') ||
    ['Z_BUF_ERROR', 'ABORT_ERR', 'ERR_ENCODING_INVALID_ENCODED_DATA'].includes(code);
  return isDamage ? new BackupRejected(`it is damaged or was cut off: ${message}`) : error;
}

/**
 * Start of the seal, a skippable frame of zstd (RFC 8878 section 3.1.2) with the SHA-256 of all bytes before the digest:
 * magic number, of which the last four bits are free, and length of the digest. The checksum of the other frame covers
 * its content only, which several changes of its bytes leave as it is.
 */
const HEADER = Buffer.from('5e2a4d1820000000', 'hex');
const DIGEST_LENGTH = 32;

/** Adds the seal. */
async function* seal(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  yield Buffer.concat([HEADER, hash.update(HEADER).digest()]);
}

/** Verifies the seal. Releases before it have written none. @throws BackupRejected */
async function checkSeal(file: string): Promise<void> {
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
