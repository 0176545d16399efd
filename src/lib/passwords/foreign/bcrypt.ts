/** bcrypt in modular crypt format, also of digests of the password. */
import { createHash, createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { checkLimit, type HashKind, incompleteHash } from './hash-kind.ts';

/** The library accepts no lower one. With the highest, a verification takes about a second. */
const COST = { min: 4, max: 14 };

const require = createRequire(import.meta.url);

/** Laravel, Supabase, PocketBase, Auth0 and others, and BCryptPasswordHasher of Django. */
export const bcrypt = createKind({ marker: '', other: /^bcrypt\$(?=\$2)/, digest: (password) => password });

/** BCryptSHA256PasswordHasher of Django: the SHA-256 digest of the password as hexadecimal text. */
export const djangoBcrypt = createKind({
  marker: '$django-bcrypt-sha256',
  other: /^bcrypt_sha256\$(?=\$2)/,
  digest: (password) => createHash('sha256').update(password).digest('hex'),
});

/** WordPress since 6.8: an HMAC of the password as Base64. */
export const wordpressBcrypt = createKind({
  marker: '$wp',
  other: /^\$wp(?=\$2)/,
  digest: (password) => createHmac('sha384', 'wp-sha384').update(password).digest('base64'),
});

/** The stored hash begins with the marker, in whose place a given one has `other`. bcrypt hashes the digest. */
function createKind({
  marker,
  other,
  digest,
}: {
  readonly marker: string;
  readonly other: RegExp;
  readonly digest: (password: string) => string;
}): HashKind {
  const start = marker.replaceAll('$', String.raw`\$`);
  return {
    prefix: new RegExp(String.raw`^${start}\$2[aby]\$\d\d\$`),
    toStored(given) {
      const isMarked = given.startsWith(`${marker}$2`);
      const hash = isMarked ? given.slice(marker.length) : given.replace(other, '');
      if (!isMarked && hash === given) return null;
      return `${marker}${checkBcrypt(hash)}`;
    },
    verify(stored, password) {
      const { verifySync } = require('@node-rs/bcrypt') as typeof import('@node-rs/bcrypt');
      return verifySync(digest(password), stored.slice(marker.length));
    },
    toUnmatched: (prefix) => `${prefix}${'.'.repeat(53)}`,
  };
}

function checkBcrypt(hash: string): string {
  const [, cost] = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(hash) ?? [];
  if (cost === undefined) throw incompleteHash('bcrypt');
  checkLimit(Number(cost), COST, 'cost of bcrypt');
  return hash;
}
