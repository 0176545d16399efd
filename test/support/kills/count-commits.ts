/** Commits in the write-ahead log of a SQLite file. */
import { readFileSync } from 'node:fs';

const HEADER_SIZE = 32;
const FRAME_HEADER_SIZE = 24;

/** Counts the frames that end a transaction (https://sqlite.org/fileformat2.html#walformat). */
export function countCommits(file: string): number {
  const log = readFileSync(`${file}-wal`);
  const salt = log.subarray(16, 24);
  const frameSize = FRAME_HEADER_SIZE + log.readUInt32BE(8);
  let commits = 0;
  for (let at = HEADER_SIZE; at + frameSize <= log.length; at += frameSize) {
    // A frame that was written before the log began anew.
    if (!salt.equals(log.subarray(at + 8, at + 16))) break;
    if (log.readUInt32BE(at + 4) > 0) commits++;
  }
  return commits;
}
