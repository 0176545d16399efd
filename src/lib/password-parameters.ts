/**
 * How passwords are hashed today (OWASP Password Storage Cheat Sheet): argon2id with 19 MiB, two passes, one
 * lane, and a tag of 32 bytes; the salt of 16 bytes is the library's.
 */
export const PARAMETERS = {
  // argon2id in the library's table: its type is a const enum, which erased types cannot read.
  algorithm: 2,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
  outputLen: 32,
} as const;

const { memoryCost, timeCost, parallelism } = PARAMETERS;

/** What a hash by these parameters starts with (PHC string format). */
export const PREFIX = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`;
