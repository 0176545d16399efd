/**
 * Removes the content of old logins. Everything else is kept until its age: nobody can remove by what they do what
 * somebody else has caused.
 */
import type { Tx } from '../../../database/database.ts';
import type { ChainedContent } from '../chain/chain.ts';
import { readNewestAfter, removeContent } from './queries.ts';

/** Events that are kept of each type, user and actor. */
export const MAX_REPEATED = 300;
/** Events beyond the maximum that are removed in addition to the new ones. */
const MAX_REMOVED = 20;
const REPEATED_TYPES = /^(?:login|session)\./;

type NumberedEvent = Pick<ChainedContent, 'type' | 'subject' | 'actor_id' | 'sequence'>;

/** Removes the oldest logins of users and actors that have more than the maximum, among these. */
export async function removeRepeated(tx: Tx, numbered: readonly NumberedEvent[]): Promise<void> {
  for (const [key, { length }] of Map.groupBy(numbered.filter(isRepeated), toKey)) {
    const limit = length + MAX_REMOVED;
    await removeContent(tx, await readNewestAfter(tx, { ...JSON.parse(key), kept: MAX_REPEATED, limit }));
  }
}

/** An actor without an id may be anybody. */
function isRepeated({ type, subject, actor_id, sequence }: NumberedEvent): boolean {
  if (actor_id === null || !subject?.startsWith('user:') || sequence! <= MAX_REPEATED) return false;
  return REPEATED_TYPES.test(type!);
}

function toKey({ subject, type, actor_id }: NumberedEvent): string {
  return JSON.stringify({ subject, type, actor_id });
}
