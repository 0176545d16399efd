/** Numbers, sequences and digests of events. */
import { type Reader, sql, type Tx } from '../../../database/database.ts';
import { inBatches, sqlForRows } from '../../../database/rows.ts';
import type { ChainedContent, ContentHashes } from '../chain/chain.ts';

const FIND_UNNUMBERED = sql<{ id: string }>(
  'select id from events where number is null and id > $1 order by id limit 1',
);

export async function hasUnnumbered(reader: Reader, after: string): Promise<boolean> {
  return (await reader.get(FIND_UNNUMBERED, after)) !== undefined;
}

export type UnnumberedRow = Omit<ChainedContent, 'sequence'> & { readonly mark: string | null };

const UNNUMBERED = sql<UnnumberedRow>(`
  select id, created_at, type, subject, actor, actor_id, outcome, reason, data, network, device, mark from events
  where number is null and id > $1 order by id limit $2`);

export function readUnnumbered(tx: Tx, after: string, limit: number): Promise<UnnumberedRow[]> {
  return tx.all(UNNUMBERED, after, limit);
}

/** The last event of the chain. */
export interface ChainHead {
  readonly number: number;
  readonly digest: string;
}

const LOCK_CHAIN = sql<ChainHead>(
  'update event_chain set number = number where id = 1 returning number, digest',
);

/** Returns the last event and locks the chain until the end of the transaction. */
export async function lockChain(tx: Tx): Promise<ChainHead> {
  return (await tx.get(LOCK_CHAIN))!;
}

const WRITE_HEAD = sql('update event_chain set number = $1, digest = $2 where id = 1');

export async function writeHead(tx: Tx, { number, digest }: ChainHead): Promise<void> {
  await tx.run(WRITE_HEAD, number, digest);
}

const SEQUENCES = sqlForRows<{ subject: string; sequence: number }>(
  { columns: { subject: 'text' } },
  (given) => `
    with ${given}
    select event_subjects.subject, event_subjects.sequence
    from given cross join event_subjects where event_subjects.subject = given.subject`,
);

/** Returns the number of events that each of at most 500 subjects has had. */
export async function readSequences(tx: Tx, subjects: readonly string[]): Promise<Map<string, number>> {
  if (subjects.length === 0) return new Map();
  const { statement, values } = SEQUENCES(
    [],
    subjects.map((subject) => [subject]),
  );
  const rows = await tx.all(statement, ...values);
  return new Map(rows.map(({ subject, sequence }) => [subject, sequence]));
}

const WRITE_SEQUENCES = sqlForRows(
  { columns: { subject: 'text', sequence: 'bigint' } },
  (given) => `
    with ${given}
    insert into event_subjects (subject, sequence) select subject, sequence from given where true
    on conflict (subject) do update set sequence = excluded.sequence`,
);

export async function writeSequences(tx: Tx, sequences: ReadonlyMap<string, number>): Promise<void> {
  for (const batch of inBatches([...sequences])) {
    const { statement, values } = WRITE_SEQUENCES([], batch);
    await tx.run(statement, ...values);
  }
}

/** The columns that numbering sets. */
export interface NumberedEvent extends ChainHead, ContentHashes {
  readonly id: string;
  readonly subject: string | null;
  readonly sequence: number | null;
  readonly mark: string | null;
}

/** With the inner join, SQLite finds each event by its key. */
const WRITE_NUMBERS = sqlForRows(
  {
    columns: {
      id: 'text',
      number: 'bigint',
      sequence: 'bigint',
      content_hash: 'text',
      network_hash: 'text',
      device_hash: 'text',
      digest: 'text',
      mark: 'text',
    },
  },
  (given) => `
    with ${given}
    update events set number = found.number, sequence = found.sequence, content_hash = found.content_hash,
      network_hash = found.network_hash, device_hash = found.device_hash, digest = found.digest, mark = found.mark
    from (
      select events.id, given.number, given.sequence, given.content_hash, given.network_hash, given.device_hash,
             given.digest, given.mark
      from given cross join events where events.id = given.id) as found
    where events.id = found.id`,
);

export async function writeNumbers(tx: Tx, events: readonly NumberedEvent[]): Promise<void> {
  const rows = events.map((event) => {
    const { id, number, sequence, content_hash, network_hash, device_hash, digest, mark } = event;
    return [id, number, sequence, content_hash, network_hash, device_hash, digest, mark];
  });
  const { statement, values } = WRITE_NUMBERS([], rows);
  await tx.run(statement, ...values);
}
