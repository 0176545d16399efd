/** Hashes of other implementations: published ones, and others made by the software that `origin` names. */
import type { GivenHash } from '../../src/lib/passwords/foreign-hashes.ts';
import hashes from './foreign-hashes.json' with { type: 'json' };
import ofSoftware from './hashes-of-software.json' with { type: 'json' };

export const FOREIGN_HASHES = hashes;

/** Default hashes of many products, and the password that they were made of. */
export const SOFTWARE_HASHES = ofSoftware.accepted as readonly (GivenHash &
  Readonly<Record<'service' | 'password' | 'origin', string>>)[];

/** Hashes that are rejected, with the reason. */
export const UNSUPPORTED_HASHES = ofSoftware.rejected as readonly (GivenHash &
  Readonly<Record<'service' | 'message', string>>)[];
