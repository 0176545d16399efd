/**
 * The hash chain of the events. The digest of an event covers its content and the digest of the event before it, so
 * that an edited, removed or reordered event is found. Personal data are covered by hashes of their own, with salts
 * that are deleted with them: the chain stays valid when a person is erased. Marks, which only a holder of SECRET_KEY
 * can make, confirm what the service has recorded and removed: whoever can only write to the database can compute the
 * digests of the chain, but no mark.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database, Tx } from '../../../database/database.ts';
import { createKeyedHash } from '../../../lib/secrets/encryption.ts';

/** The members that the digest covers. */
export interface ChainedContent {
  readonly id: string;
  readonly created_at: number;
  readonly type: string | null;
  readonly subject: string | null;
  readonly actor: string | null;
  readonly actor_id: string | null;
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly data: string | null;
  readonly sequence: number | null;
  /** Personal data, with a salt; null if there are none, or none any more. */
  readonly network: string | null;
  readonly device: string | null;
}

export interface ContentHashes {
  readonly network_hash: string | null;
  readonly device_hash: string | null;
  readonly content_hash: string;
}

const sha256 = (text: string) => hash('sha256', text, 'base64url');

/** Personal data as they are stored, with 128 random bits that prevent guessing them from the hash. */
interface SaltedData {
  readonly salt: string;
  readonly value: string | null;
  /** The user who acted on another subject: the content does not cover the id, so that it can be deleted. */
  readonly actor_id?: string;
}

export function addSalt(value: string | null, actorId?: string): string {
  const salted: SaltedData = { salt: randomBytes(16).toString('base64url'), value };
  return JSON.stringify(actorId === undefined ? salted : { ...salted, actor_id: actorId });
}

export function readSalted(stored: string | null): string | null {
  const { value } = parseStored<SaltedData>(stored);
  return typeof value === 'string' ? value : null;
}

/** Parses a stored object. Somebody may have edited it to anything, which must hide no other event: then it is empty. */
export function parseStored<Stored>(text: string | null): Partial<Stored> {
  try {
    return Object(JSON.parse(text ?? '{}'));
  } catch {
    return {};
  }
}

/** Returns the id of the actor if the content covers it, instead of the personal data. */
function getContentActorId({ device, actor_id }: Pick<ChainedContent, 'device' | 'actor_id'>): string | null {
  return parseStored<SaltedData>(device).actor_id === undefined ? actor_id : null;
}

/** Whether the acting user is the one that the personal data name, if they name one. */
export function hasCoveredActor({ device, actor_id }: Pick<ChainedContent, 'device' | 'actor_id'>): boolean {
  const covered = parseStored<SaltedData>(device).actor_id;
  return covered === undefined || covered === actor_id;
}

/** Returns the hash of stored personal data; null if there are none. */
export const hashPersonal = (stored: string | null): string | null =>
  stored === null ? null : sha256(stored);

/** Returns the hash of everything but the personal data themselves. */
export function hashContent(event: ChainedContent & Omit<ContentHashes, 'content_hash'>): string {
  const { id, created_at, type, subject, sequence, actor, outcome, reason, data } = event;
  const actorId = getContentActorId(event);
  const members = [id, created_at, type, subject, sequence, actor, actorId, outcome, reason, data];
  return sha256(JSON.stringify([...members, event.network_hash, event.device_hash]));
}

/** Returns the digest of the event with this number, after the digest of the one before it. */
export function computeChainDigest(previous: string, number: number, contentHash: string): string {
  return sha256(`${previous}:${number}:${contentHash}`);
}

/** The fact that a mark confirms. */
type Purpose = 'recorded' | 'numbered' | 'imported' | 'removed' | 'deleted' | 'accepted';
type Member = string | number | null;

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
