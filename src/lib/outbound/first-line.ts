import type { Readable } from 'node:stream';

const MAX_BODY_BYTES = 4_096;
const MAX_CHARACTERS = 200;
/** Control and format characters, among them those that change the direction of text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Reads at most 4 KiB of a body, and returns its first line that is not blank, at most 200 characters; null if there
 * is none, or if the body is compressed. A connection with a longer body is closed.
 */
export async function readFirstLine(
  body: Readable,
  encoding: string | string[] | undefined,
): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop destroys the stream.
    if (size >= MAX_BODY_BYTES) break;
  }
  if (encoding !== undefined && encoding !== 'identity') return null;
  const start = Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString();
  const lines = start.split(/[\r\n]/).map((line) => line.replace(INVISIBLE, '').trim());
  const line = lines.find((each) => each !== '');
  return line === undefined ? null : Array.from(line).slice(0, MAX_CHARACTERS).join('').trimEnd();
}
