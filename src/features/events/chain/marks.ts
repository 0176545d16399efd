/**
 * Marks that only a holder of SECRET_KEY can make: of events that the service has recorded, of content that it has
 * removed, and of the start that it has deleted. Whoever can only write to the database can compute the digests of
 * the chain, but no mark.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Database, Tx } from '../../../database/database.ts';
import { createKeyedHash } from '../../../lib/secrets/encryption.ts';
import { type ChainedContent, getContentActorId } from './chain.ts';

/** The fact that a mark confirms. */
type Purpose = 'recorded' | 'numbered' | 'imported' | 'removed' | 'deleted' | 'accepted';
type Member = string | number | null;

/** Makes the mark of these members. */
export type Mark = (purpose: Purpose, ...members: readonly Member[]) => string;

const LENGTH = 22;

/** Creates the function that makes marks: 132 bits of an HMAC. */
export function createMark(secretKey: string): Mark {
  const hash = createKeyedHash(secretKey, 'events');
  return (purpose, ...members) => hash(JSON.stringify([purpose, ...members])).slice(0, LENGTH);
}

export function isSameMark(stored: string | null, expected: string | null): boolean {
  if (stored?.length !== LENGTH || expected === null) return false;
  return timingSafeEqual(Buffer.from(stored), Buffer.from(expected));
}

/** Members of an event before it has a number. Personal data may be deleted before. */
export function listRecorded(event: Omit<ChainedContent, 'sequence' | 'network'>): Member[] {
  const { id, created_at, type, subject, actor, outcome, reason, data } = event;
  return [id, created_at, type, subject, actor, getContentActorId(event), outcome, reason, data];
}

const marks = new WeakMap<Tx, () => Mark>();

/** Returns the database whose transactions mark events. The key is read when it is first needed. */
export function withMarks(database: Database, getSecretKey: () => string): Database {
  let mark: Mark | undefined;
  const getMark = () => (mark ??= createMark(getSecretKey()));
  const transaction: Database['transaction'] = (work, options) =>
    database.transaction((tx) => {
      marks.set(tx, getMark);
      return work(tx);
    }, options);
  return { ...database, transaction };
}

/** Makes a mark in a transaction; null in one of a database without a key, which `events verify` finds. */
export function makeMark(tx: Tx, ...[purpose, ...members]: Parameters<Mark>): string | null {
  return marks.get(tx)?.()(purpose, ...members) ?? null;
}
