/** Hashes of other implementations: published ones, and others made by the library that `origin` names. */
import hashes from './foreign-hashes.json' with { type: 'json' };

export const FOREIGN_HASHES = hashes;
