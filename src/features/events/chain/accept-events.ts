/**
 * Accepts the events that this SECRET_KEY cannot have marked: those of releases before marks, and of an earlier key.
 * `events verify` says how many they are.
 */
import type { Database, Reader, Tx } from '../../../database/database.ts';
import { numberAllEvents } from '../numbering/number-events.ts';
import { type MarkedChain, readEventsAfter, readMarkedChain, writeAccepted } from '../queries.ts';
import { makeMark } from './marks.ts';

/** Marks the chain of a new or migrated database at its first use. */
export async function acceptEarlierEvents(database: Database): Promise<void> {
  const isMarked = async (reader: Reader) => (await readMarkedChain(reader))?.accepted_mark !== null;
  if (await isMarked(database)) return;
  await numberAllEvents(database);
  await database.transaction(async (tx) => {
    const chain = await readMarkedChain(tx);
    if (chain?.accepted_mark === null) await accept(tx, chain, chain.accepted_number);
  });
}

/** Accepts all numbered events, because their marks were made with a key that is lost. */
export async function acceptAllEvents(tx: Tx): Promise<void> {
  const chain = await readMarkedChain(tx);
  if (chain !== undefined) await accept(tx, chain, chain.number);
}

async function accept(tx: Tx, chain: MarkedChain, number: number): Promise<void> {
  const { deleted_number, deleted_digest, deleted_at } = chain;
  const [event] = number === 0 ? [] : await readEventsAfter(tx, number - 1, 1);
  const digest = event?.number === number ? event.digest : deleted_digest;
  await writeAccepted(tx, {
    accepted_number: number,
    accepted_digest: digest,
    accepted_mark: makeMark(tx, 'accepted', number, digest),
    deleted_mark: makeMark(tx, 'deleted', deleted_number, deleted_digest, deleted_at),
  });
}
