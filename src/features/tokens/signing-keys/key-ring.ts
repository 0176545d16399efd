/** The signing keys as a node has them in memory. */
import type { CryptoKey, JWK } from 'jose';
import { cached } from '../../../lib/cached.ts';
import type { MonotonicClock } from '../../../lib/time/clock.ts';
import { findPublishedKeys, findSigningKey, KEY_CACHE_MS } from './key-times.ts';
import { listSigningKeys, type SigningKeyRow } from './queries.ts';
import { ALGORITHM, type RotateKeysDeps, rotateKeysWhenDue } from './rotate-keys.ts';

export interface KeyRingDeps extends RotateKeysDeps {
  readonly monotonicClock: MonotonicClock;
  /** Whether a first key is created when there is none. */
  readonly isEnabled: boolean;
}

export type KeyRing = ReturnType<typeof createKeyRing>;

/** Creates the key ring, which reads the database at the first use and then every ten seconds at most. */
export function createKeyRing(deps: KeyRingDeps) {
  const { clock, monotonicClock, keySeal } = deps;
  const readKeys = cached(() => readOrCreateKeys(deps), { lifetimeMs: KEY_CACHE_MS, monotonicClock });
  /** The `id` is the `kid` of its tokens. */
  let last: { readonly id: string; readonly key: CryptoKey } | null = null;
  return {
    /** Returns the key that signs now. @throws DatabaseUnavailable */
    async getSigner() {
      const row = findSigningKey(await readKeys(), clock());
      if (row === undefined) throw new Error('There is no key that signs JSON Web Tokens');
      if (last?.id === row.id) return last;
      const { importJWK } = await import('jose');
      const privateKey: JWK = JSON.parse(Buffer.from(keySeal.unseal(row.id, row.private_key)).toString());
      last = { id: row.id, key: (await importJWK(privateKey, ALGORITHM)) as CryptoKey };
      return last;
    },
    /** Returns the public keys that tokens are verified by, those to come included. @throws DatabaseUnavailable */
    listPublicKeys: async () => findPublishedKeys(await readKeys(), clock()).map(toPublicKey),
  };
}

async function readOrCreateKeys(deps: KeyRingDeps): Promise<SigningKeyRow[]> {
  const { database, clock, isEnabled } = deps;
  const keys = await listSigningKeys(database);
  if (!isEnabled || findSigningKey(keys, clock()) !== undefined) return keys;
  await rotateKeysWhenDue(deps);
  return listSigningKeys(database);
}

function toPublicKey({ id, public_key }: SigningKeyRow): JWK {
  const { kty, crv, x, y }: JWK = JSON.parse(public_key);
  return { kty, crv, x, y, kid: id, use: 'sig', alg: ALGORITHM } as JWK;
}
