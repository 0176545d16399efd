/** Replaces files atomically. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';

/**
 * Writes a file that only its owner can read, regardless of the permissions of the file that it replaces. It has the
 * old or the complete new content at any moment: `write`, which has to end the stream, writes to a temporary file
 * beside it, which is removed if anything fails. A device or a pipe is written as it is.
 * @throws the errors of the file system, and of `write`
 */
export async function replaceFile(path: string, write: (stream: Writable) => Promise<void>): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const isSpecial = await stat(target).then(
    (status) => !status.isFile(),
    () => false,
  );
  if (isSpecial) return write(createWriteStream(target));
  const temporary = `${target}.${randomBytes(6).toString('hex')}`;
  // `flush`: the content is on the disk before the file gets its name.
  const stream = createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await write(stream);
    if (!stream.closed) await once(stream, 'close');
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
