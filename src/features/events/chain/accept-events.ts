/**
 * Accepts the events that this SECRET_KEY cannot have marked: those of releases before marks, of an earlier key, and of
 * imports by releases that forgot the mark. `events verify` names them.
 */
import { COMMAND_LINE } from '../../../callers/action-context.ts';
import type { Database, Reader, Tx } from '../../../database/database.ts';
import { MAX_ROWS } from '../../../database/prepare.ts';
import { addSetting, readSetting } from '../../../database/settings.ts';
import { numberAllEvents } from '../numbering/number-events.ts';
import * as queries from '../queries.ts';
import { makeMark } from './chain.ts';

/** Marks the chain of a new or migrated database at its first use. */
export async function acceptEarlierEvents(database: Database): Promise<void> {
  const isMarked = async (reader: Reader) => (await queries.readMarkedChain(reader))?.accepted_mark !== null;
  if (await isMarked(database)) return;
  await numberAllEvents(database);
  await database.transaction(async (tx) => {
    const chain = await queries.readMarkedChain(tx);
    if (chain?.accepted_mark === null) await accept(tx, chain, chain.accepted_number);
  });
}

/** The data of the events of imports, and the setting of a database whose events of imports have marks. */
const IMPORT_DATA = JSON.stringify({ actor_name: COMMAND_LINE.actor.name });
const IMPORTS_MARKED = 'imports_marked';

/**
 * Marks the events that imports of earlier releases have stored without a mark, once: later ones without a mark are
 * findings. The mark is another one than that of recorded events, because somebody else may have added such an event.
 */
export async function markImports(database: Database): Promise<void> {
  if ((await readSetting(database, IMPORTS_MARKED)) !== undefined) return;
  await numberAllEvents(database);
  for (let after: number | null = 0; after !== null; )
    after = await database.transaction((tx) => markImportsAfter(tx, after!));
}

/** Marks at most 500 events, and returns the number of the last one; null at the end. */
async function markImportsAfter(tx: Tx, after: number): Promise<number | null> {
  const events = await queries.readUnmarkedImports(tx, { after, data: IMPORT_DATA, limit: MAX_ROWS });
  const marks = events.map(({ id, number, digest }) => [id, makeMark(tx, 'imported', number, digest)]);
  await queries.writeMarks(tx, marks);
  if (events.length === MAX_ROWS) return events.at(-1)!.number;
  await addSetting(tx, { name: IMPORTS_MARKED, value: '' });
  return null;
}

/** Accepts all numbered events, because their marks were made with a key that is lost. */
export async function acceptAllEvents(tx: Tx): Promise<void> {
  const chain = await queries.readMarkedChain(tx);
  if (chain !== undefined) await accept(tx, chain, chain.number);
}

async function accept(tx: Tx, chain: queries.MarkedChain, number: number): Promise<void> {
  const { deleted_number, deleted_digest, deleted_at } = chain;
  const [event] = number === 0 ? [] : await queries.readEventsAfter(tx, number - 1, 1);
  const digest = event?.number === number ? event.digest : deleted_digest;
  await queries.writeAccepted(tx, {
    accepted_number: number,
    accepted_digest: digest,
    accepted_mark: makeMark(tx, 'accepted', number, digest),
    deleted_mark: makeMark(tx, 'deleted', deleted_number, deleted_digest, deleted_at),
  });
}
