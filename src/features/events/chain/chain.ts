/**
 * The hash chain of the events. The digest of an event covers its content and the digest of the event before it, so
 * that an edited, removed or reordered event is found. Personal data are covered by hashes of their own, with salts
 * that are deleted with them: the chain stays valid when a person is erased.
 */
import { hash, randomBytes } from 'node:crypto';

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

/** Returns personal data as they are stored, with 128 random bits that prevent guessing them from the hash. */
export function addSalt(value: string): string {
  return JSON.stringify({ salt: randomBytes(16).toString('base64url'), value });
}

export function readSalted(stored: string | null): string | null {
  return stored === null ? null : (JSON.parse(stored) as { readonly value: string }).value;
}

/** Returns the hash of stored personal data; null if there are none. */
export function hashPersonal(stored: string | null): string | null {
  return stored === null ? null : sha256(stored);
}

type HashedContent = Omit<ChainedContent, 'network' | 'device'> & Omit<ContentHashes, 'content_hash'>;

/** Returns the hash of everything but the personal data themselves. */
export function hashContent(event: HashedContent): string {
  const { id, created_at, type, subject, sequence, actor, actor_id, outcome, reason, data } = event;
  const members = [id, created_at, type, subject, sequence, actor, actor_id, outcome, reason, data];
  return sha256(JSON.stringify([...members, event.network_hash, event.device_hash]));
}

/** Returns the digest of the event with this number, after the digest of the one before it. */
export function chainDigest(previous: string, number: number, contentHash: string): string {
  return sha256(`${previous}:${number}:${contentHash}`);
}
