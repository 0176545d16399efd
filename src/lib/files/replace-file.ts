/** Replaces files atomically. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';

/**
 * Writes a file that only its owner can read, atomically: `write` has to end the stream. A device or a pipe is
 * written as it is.
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
