/** Numbers, sequences and digests of events. */
import type { Tx } from '../../../database/database.ts';
import {
  prepareAll,
  prepareExists,
  prepareForRows,
  prepareGet,
  prepareRun,
} from '../../../database/prepare.ts';
import { inBatches } from '../../../database/rows.ts';
import type { ChainedContent, ContentHashes } from '../chain/chain.ts';

export const hasUnnumbered = prepareExists<[after: string]>(
  'select id from events where number is null and id > $1 order by id limit 1',
);

export type UnnumberedRow = Omit<ChainedContent, 'sequence'> & { readonly mark: string | null };

export const readUnnumbered = prepareAll<UnnumberedRow, [after: string, limit: number]>(`
  select id, created_at, type, subject, actor, actor_id, outcome, reason, data, network, device, mark from events
  where number is null and id > $1 order by id limit $2`);

/** The last event of the chain. */
export interface ChainHead {
  readonly number: number;
  readonly digest: string;
}

/** Returns the last event and locks the chain until the end of the transaction. */
export const lockChain = prepareGet<ChainHead, [], Tx>(
  'update event_chain set number = number where id = 1 returning number, digest',
);

export const writeHead = prepareRun<ChainHead>(
  'update event_chain set number = $number, digest = $digest where id = 1',
);

const SEQUENCES = prepareForRows<{ subject: string; sequence: number }>(
  { subject: 'text' },
  `select event_subjects.subject, event_subjects.sequence
    from given cross join event_subjects where event_subjects.subject = given.subject`,
);

/** Returns the number of events that each of at most 500 subjects has had. */
export async function readSequences(tx: Tx, subjects: readonly string[]): Promise<Map<string, number>> {
  if (subjects.length === 0) return new Map();
  const rows = await SEQUENCES.all(tx, subjects);
  return new Map(rows.map(({ subject, sequence }) => [subject, sequence]));
}

const WRITE_SEQUENCES = prepareForRows(
  { subject: 'text', sequence: 'bigint' },
  `insert into event_subjects (subject, sequence) select subject, sequence from given where true
    on conflict (subject) do update set sequence = excluded.sequence`,
);

export async function writeSequences(tx: Tx, sequences: ReadonlyMap<string, number>): Promise<void> {
  for (const batch of inBatches([...sequences])) await WRITE_SEQUENCES.run(tx, batch);
}

/** The columns that numbering sets. */
export interface NumberedEvent extends ChainHead, ContentHashes {
  readonly id: string;
  readonly subject: string | null;
  readonly sequence: number | null;
  readonly mark: string | null;
}

const NUMBERED = {
  number: 'bigint',
  sequence: 'bigint',
  content_hash: 'text',
  network_hash: 'text',
  device_hash: 'text',
  digest: 'text',
  mark: 'text',
} as const;
const NAMES = Object.keys(NUMBERED);

/** With the inner join, SQLite finds each event by its key. */
const WRITE_NUMBERS = prepareForRows(
  { id: 'text', ...NUMBERED },
  `update events set ${NAMES.map((name) => `${name} = found.${name}`)}
    from (
      select events.id, ${NAMES.map((name) => `given.${name}`)}
      from given cross join events where events.id = given.id) as found
    where events.id = found.id`,
);

export function writeNumbers(tx: Tx, events: readonly NumberedEvent[]): Promise<number> {
  return WRITE_NUMBERS.run(tx, events);
}
