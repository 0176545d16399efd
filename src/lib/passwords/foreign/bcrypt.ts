/** bcrypt in modular crypt format. */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { checkLimit, type HashKind, incompleteHash, type Reading } from './hash-kind.ts';

/** The library accepts no lower one. With the highest, a verification takes about a second. */
const COST = { min: 4, max: 14 };

/** What follows is ignored. */
const MAX_BYTES = 72;

const HASH = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;

const require = createRequire(import.meta.url);

/** Laravel, Supabase, PocketBase, Auth0 and others. */
export const bcrypt: HashKind = {
  prefix: /^\$2[aby]\$\d\d\$/,
  toStored(given) {
    if (!given.startsWith('$2')) return null;
    const [, cost] = HASH.exec(given) ?? [];
    if (cost === undefined) throw incompleteHash('bcrypt');
    checkLimit(Number(cost), COST, 'cost of bcrypt');
    return given;
  },
  verify(stored, password) {
    const { verifySync } = require('@node-rs/bcrypt') as typeof import('@node-rs/bcrypt');
    const isLong = typeof password === 'string' && Buffer.byteLength(password) >= MAX_BYTES;
    if (verifySync(password, stored)) return isLong ? 'the first 72 bytes' : true;
    if (!isLong) return false;
    // Symfony and Bun hash longer passwords before, and nothing in the hash shows it.
    const digest = createHash('sha512').update(password).digest();
    const forms: readonly [Reading, string | Uint8Array][] = [
      ['Base64 of SHA-512 (Symfony)', digest.toString('base64')],
      ['SHA-512 (Bun)', digest],
    ];
    return forms.find(([, form]) => verifySync(form, stored))?.[0] ?? false;
  },
  toUnmatched: (prefix) => `${prefix}${'.'.repeat(53)}`,
};
