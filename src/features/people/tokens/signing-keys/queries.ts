import type { Reader, Tx } from '../../../../database/database.ts';
import { prepareAll, prepareRun } from '../../../../database/prepare.ts';
import { lockSetting } from '../../../../database/settings.ts';
import { type KeyTimes, RETENTION_MS } from './key-times.ts';

/**
 * Algorithms of signatures (RFC 7518 section 3.1): RS256 for the ID tokens of applications, which every client can verify;
 * ES256 for all other JSON Web Tokens.
 */
export const ALGORITHMS = ['RS256', 'ES256'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** A key that signs JSON Web Tokens. Times are in epoch milliseconds. */
export interface SigningKeyRow extends KeyTimes {
  /** The `kid` of its tokens. */
  readonly id: string;
  readonly algorithm: Algorithm;
  /** JSON Web Key (RFC 7517), without members that describe its use. */
  readonly public_key: string;
  /** Encrypted. */
  readonly private_key: Uint8Array;
  readonly created_at: number;
}

export type NewSigningKey = Pick<SigningKeyRow, 'id' | 'algorithm' | 'public_key' | 'private_key'>;

/** Lets changes run one after the other, over all nodes. */
export const lockSigningKeys = (tx: Tx) => lockSetting(tx, 'signing_keys');

const list = prepareAll<SigningKeyRow>(`
  select id, algorithm, public_key, private_key, created_at, signs_from, signs_until, removed_at from signing_keys`);

/** Returns all keys in the order in which they sign. */
export async function listSigningKeys(reader: Reader): Promise<SigningKeyRow[]> {
  return (await list(reader)).sort((a, b) => a.signs_from - b.signs_from || a.created_at - b.created_at);
}

/** Returns the keys of one algorithm. */
export function selectKeys(keys: readonly SigningKeyRow[], algorithm: Algorithm): SigningKeyRow[] {
  return keys.filter((key) => key.algorithm === algorithm);
}

export const insertSigningKey = prepareRun<
  NewSigningKey & { readonly now: number; readonly signsFrom: number }
>(`
  insert into signing_keys (id, algorithm, public_key, private_key, created_at, signs_from)
  values ($id, $algorithm, $public_key, $private_key, $now, $signsFrom)`);

const retire = prepareRun<[algorithm: Algorithm, signsUntil: number, removedAt: number]>(`
  update signing_keys set signs_until = $2, removed_at = $3
  where algorithm = $1 and (signs_until is null or signs_until > $2)`);

/** Lets the keys of the algorithm sign until this time at most. They stay published as long as a token of theirs may be valid. */
export async function retireSigningKeys(tx: Tx, algorithm: Algorithm, signsUntil: number): Promise<void> {
  await retire(tx, algorithm, signsUntil, signsUntil + RETENTION_MS);
}

/** Deletes keys that are not published any more. Returns their number. */
export const deleteRemovedKeys = prepareRun<[now: number]>('delete from signing_keys where removed_at <= $1');

/** Deletes all keys: no token of theirs can be verified with a key set that is read from then on. */
export const deleteSigningKeys = prepareRun('delete from signing_keys');
