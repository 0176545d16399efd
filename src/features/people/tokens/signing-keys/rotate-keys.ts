/** Creates signing keys: the first one, and successors before one has to stop. */
import type { DatabaseDeps, Reader, Tx } from '../../../../database/database.ts';
import { createSeal, type SecretSeal } from '../../../../lib/secrets/encryption.ts';
import { newId } from '../../../../lib/secrets/ids.ts';
import { formatTimestamp } from '../../../../lib/time.ts';
import { recordEvent } from '../../../events/record-event.ts';
import { findDueStart, PUBLICATION_LEAD_MS } from './key-times.ts';
import * as queries from './queries.ts';

export interface RotateKeysDeps extends DatabaseDeps {
  readonly keySeal: SecretSeal;
}

/** Creates the first key of the algorithm, or the next one if it is time. Of several nodes that call it at once, one does. */
export async function rotateKeysWhenDue(
  { database, clock, keySeal }: RotateKeysDeps,
  algorithm: queries.Algorithm,
): Promise<void> {
  if (findDueStart(queries.selectKeys(await queries.listSigningKeys(database), algorithm), clock()) === null)
    return;
  const key = await generateKey(keySeal, algorithm);
  await database.transaction(async (tx) => {
    await queries.lockSigningKeys(tx);
    const now = clock();
    const keys = queries.selectKeys(await queries.listSigningKeys(tx), algorithm);
    const signsFrom = findDueStart(keys, now);
    // Another node has created it meanwhile.
    if (signsFrom === null) return;
    await storeSuccessor(tx, key, { now, signsFrom });
    if (keys.length > 0) await recordRotation(tx, key, { now, signsFrom, hasRevoked: false });
  });
}

/** Creates the next key of each algorithm in use, which signs an hour later; at once with `revokesOld`, which deletes the others. */
export async function rotateKeysNow(
  { database, clock, keySeal }: RotateKeysDeps,
  { revokesOld }: { readonly revokesOld: boolean },
): Promise<void> {
  const keys = await Promise.all(
    (await listAlgorithmsInUse(database)).map((algorithm) => generateKey(keySeal, algorithm)),
  );
  await database.transaction(async (tx) => {
    await queries.lockSigningKeys(tx);
    const now = clock();
    if (revokesOld) await queries.deleteSigningKeys(tx);
    const before = await queries.listSigningKeys(tx);
    for (const key of keys) {
      const isFirst = queries.selectKeys(before, key.algorithm).length === 0;
      const signsFrom = isFirst ? now : now + PUBLICATION_LEAD_MS;
      await storeSuccessor(tx, key, { now, signsFrom });
      await recordRotation(tx, key, { now, signsFrom, hasRevoked: revokesOld });
    }
  });
}

/** Returns the algorithms that have keys; that of tokens for services if there are none. */
async function listAlgorithmsInUse(database: Reader): Promise<readonly queries.Algorithm[]> {
  const keys = await queries.listSigningKeys(database);
  return keys.length === 0
    ? ['ES256']
    : queries.ALGORITHMS.filter((name) => queries.selectKeys(keys, name).length > 0);
}

interface Start {
  readonly now: number;
  readonly signsFrom: number;
}

async function storeSuccessor(tx: Tx, key: queries.NewSigningKey, start: Start): Promise<void> {
  await queries.retireSigningKeys(tx, key.algorithm, start.signsFrom);
  await queries.insertSigningKey(tx, { ...key, ...start });
}

async function recordRotation(
  tx: Tx,
  { id }: queries.NewSigningKey,
  { now, signsFrom, hasRevoked }: Start & { readonly hasRevoked: boolean },
): Promise<void> {
  const details = { kid: id, signs_from: formatTimestamp(signsFrom), revoked: hasRevoked };
  await recordEvent(tx, { type: 'signing_key.rotated', subject: 'signing_keys', details, now });
}

/** Generates a key pair, with the private key encrypted. Not to be called in a transaction. */
async function generateKey(seal: SecretSeal, algorithm: queries.Algorithm): Promise<queries.NewSigningKey> {
  // Imported with the first key, because the import would delay the start.
  const { exportJWK, generateKeyPair } = await import('jose');
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const id = newId();
  return {
    id,
    algorithm,
    public_key: JSON.stringify(await exportJWK(publicKey)),
    private_key: seal.seal(id, Buffer.from(JSON.stringify(await exportJWK(privateKey)))),
  };
}

/** Creates the encryption of private keys, JSON Web Keys as text, each bound to the id of its signing key. */
export const createKeySeal = (secretKey: string): SecretSeal => createSeal(secretKey, 'signing-keys');

/** Returns the step of the housekeeping that creates the next signing keys: of the algorithms that have signed, and for `jwtAudiences`. */
export function createKeyRotation(
  { jwtAudiences }: { readonly jwtAudiences: readonly string[] },
  { secretKey, ...deps }: Omit<RotateKeysDeps, 'keySeal'> & { readonly secretKey: string },
) {
  const keySeal = createKeySeal(secretKey);
  return async () => {
    const keys = await queries.listSigningKeys(deps.database);
    for (const algorithm of queries.ALGORITHMS) {
      const isInUse = queries.selectKeys(keys, algorithm).length > 0;
      if (isInUse || (algorithm === 'ES256' && jwtAudiences.length > 0))
        await rotateKeysWhenDue({ ...deps, keySeal }, algorithm);
    }
  };
}
