/** The signing keys as a node has them in memory. */
import type { CryptoKey, JWK } from 'jose';
import { cached } from '../../../../lib/queues/shared-work.ts';
import type { MonotonicClock } from '../../../../lib/time.ts';
import { findPublishedKeys, findSigningKey, KEY_CACHE_MS } from './key-times.ts';
import { type Algorithm, listSigningKeys, type SigningKeyRow, selectKeys } from './queries.ts';
import { type RotateKeysDeps, rotateKeysWhenDue } from './rotate-keys.ts';

export interface KeyRingDeps extends RotateKeysDeps {
  readonly monotonicClock: MonotonicClock;
  /** Whether the set of keys has one of ES256 before the first JSON Web Token. */
  readonly isEnabled: boolean;
}

export type KeyRing = ReturnType<typeof createKeyRing>;

/** Creates the key ring, which reads the database at the first use and then every ten seconds at most. */
export function createKeyRing(deps: KeyRingDeps) {
  const { clock, monotonicClock, keySeal } = deps;
  const openCache = () => cached(() => readOrCreateKeys(deps), { lifetimeMs: KEY_CACHE_MS, monotonicClock });
  let readKeys = openCache();
  const create = async (algorithm: Algorithm) => {
    const row = await createKey(deps, algorithm);
    readKeys = openCache();
    return row;
  };
  /** The `id` is the `kid` of its tokens. */
  const last = new Map<Algorithm, { readonly id: string; readonly key: CryptoKey }>();
  return {
    /** Returns the key that signs now, which it creates if there is none of the algorithm. @throws DatabaseUnavailable */
    async getSigner(algorithm: Algorithm) {
      const row =
        findSigningKey(selectKeys(await readKeys(), algorithm), clock()) ?? (await create(algorithm));
      const known = last.get(algorithm);
      if (known?.id === row.id) return known;
      const { importJWK } = await import('jose');
      const privateKey: JWK = JSON.parse(Buffer.from(keySeal.unseal(row.id, row.private_key)).toString());
      const signer = { id: row.id, key: (await importJWK(privateKey, algorithm)) as CryptoKey };
      last.set(algorithm, signer);
      return signer;
    },
    /** Returns the public keys that tokens are verified by, those to come included. @throws DatabaseUnavailable */
    listPublicKeys: async () => findPublishedKeys(await readKeys(), clock()).map(toPublicKey),
  };
}

async function readOrCreateKeys(deps: KeyRingDeps): Promise<SigningKeyRow[]> {
  const { database, clock, isEnabled } = deps;
  const keys = await listSigningKeys(database);
  if (!isEnabled || findSigningKey(selectKeys(keys, 'ES256'), clock()) !== undefined) return keys;
  await createKey(deps, 'ES256');
  return listSigningKeys(database);
}

/** Returns the key that signs, which is created unless another node, or this one, just did. */
async function createKey(deps: KeyRingDeps, algorithm: Algorithm): Promise<SigningKeyRow> {
  await rotateKeysWhenDue(deps, algorithm);
  const keys = selectKeys(await listSigningKeys(deps.database), algorithm);
  const row = findSigningKey(keys, deps.clock());
  if (row === undefined) throw new Error('There is no key that signs JSON Web Tokens');
  return row;
}

function toPublicKey({ id, algorithm, public_key }: SigningKeyRow): JWK {
  return { ...(JSON.parse(public_key) as JWK), kid: id, use: 'sig', alg: algorithm };
}
