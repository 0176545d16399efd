import { UNMATCHED_ARGON2 } from './foreign/argon2.ts';
import { splitPrehash } from './foreign/prehash.ts';
import { findKind } from './foreign-hashes.ts';

/**
 * Parameters of password hashes (OWASP Password Storage Cheat Sheet): argon2id with 19 MiB, two passes, one
 * lane and a tag of 32 bytes. The library adds a salt of 16 bytes.
 */
export const PARAMETERS = {
  // argon2id. The library exports it as a const enum, which type stripping cannot read.
  algorithm: 2,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
  outputLen: 32,
} as const;

export interface PasswordParameters extends Omit<typeof PARAMETERS, 'memoryCost' | 'timeCost'> {
  readonly memoryCost: number;
  readonly timeCost: number;
}

/** Returns the start of every hash with these parameters (PHC string format). */
export function formatPrefix({ memoryCost, timeCost, parallelism }: PasswordParameters): string {
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`;
}

export const PREFIX = formatPrefix(PARAMETERS);

const PARAMETERS_OF_HASH = /^\$argon2(?:id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$/;

/** Returns the start of a hash, which states its parameters; null if it is not a hash that can be verified. */
export function getHashPrefix(hash: string): string | null {
  const { marker, inner } = splitPrehash(hash);
  const prefix = (findKind(inner)?.prefix ?? PARAMETERS_OF_HASH).exec(inner)?.[0];
  return prefix === undefined ? null : `${marker}${prefix}`;
}

/** Returns a hash with this start that no password matches. It is valid with all parameters of its kind. */
export function createUnmatchableHash(prefix: string): string {
  const { marker, inner } = splitPrehash(prefix);
  return `${marker}${findKind(inner)?.toUnmatched(inner) ?? `${inner}${UNMATCHED_ARGON2}`}`;
}
