/** Events, inserted into the database without the service. */
import { type Database, sql } from '../../src/database/database.ts';
import { createMark } from '../../src/features/events/chain/chain.ts';
import type { EventType } from '../../src/features/events/event-types.ts';
import { numberAllEvents } from '../../src/features/events/numbering/number-events.ts';
import type { Report } from '../../src/features/events/verify/findings.ts';
import { verifyChain } from '../../src/features/events/verify/verify-chain.ts';

export { numberAllEvents };

/** Fewer than PostgreSQL inserts until the service's limit of a statement. */
const ROWS_PER_STATEMENT = 50_000;

const INSERT = sql(`
  with recursive n (i) as (select cast($1 as bigint) union all select i + 1 from n where i < $2)
  insert into events (id, created_at, type, subject, actor, actor_id, outcome, data, device)
  select substr($3, 1, 24) || substr(cast(1000000000000 + i as text), 2), i, $4, 'user:' || $3, 'user', $3, 'success',
         '{}', '{"salt":"x","value":"Firefox"}'
  from n`);

/** Inserts events of a user, with a device, whose times are 1, 2, 3 … and whose ids begin like that of the user. */
export async function insertTestEvents(
  database: Database,
  userId: string,
  count: number,
  type: EventType = 'token.rotated',
): Promise<void> {
  for (let from = 1; from <= count; from += ROWS_PER_STATEMENT) {
    const to = Math.min(count, from + ROWS_PER_STATEMENT - 1);
    await database.transaction((tx) => tx.run(INSERT, from, to, userId, type));
  }
}

/** Numbers all events, and returns the findings and warnings of the verification of the record, at whatever age events were deleted. */
export async function verifyRecord(database: Database, secretKey: string): Promise<Parameters<Report>[]> {
  await numberAllEvents(database);
  const findings: Parameters<Report>[] = [];
  const options = { after: null, noted: null, mark: createMark(secretKey), before: Number.POSITIVE_INFINITY };
  await verifyChain(database, options, (...finding) => findings.push(finding));
  return findings;
}
