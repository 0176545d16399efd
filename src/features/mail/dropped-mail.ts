/** Counts the messages that were dropped because a limit was exceeded. */
import { readCounter } from '../../database/counters.ts';
import type { Reader, Tx } from '../../database/database.ts';

const COUNTER = 'mail_dropped';

export function countDropped(tx: Tx): void {
  tx.count(COUNTER, 0, 1);
}

/** Returns the number of messages that were dropped since the database was set up. */
export function readDropped(reader: Reader): Promise<number> {
  return readCounter(reader, COUNTER);
}
