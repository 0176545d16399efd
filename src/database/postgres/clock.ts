/** The clock of PostgreSQL. */
import { sql } from '../database.ts';

/** The time of the evaluation, not of the beginning of the transaction, in epoch milliseconds. */
export const EPOCH_MS = 'cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)';

export const READ_CLOCK = sql<{ now: number }>(`select ${EPOCH_MS} as now`);
