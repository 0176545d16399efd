/** Creates signing keys: the first one, and successors before one has to stop. */
import type { DatabaseDeps, Tx } from '../../../database/database.ts';
import { createSeal, type SecretSeal } from '../../../lib/secrets/encryption.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { formatTimestamp } from '../../../lib/time/clock.ts';
import { recordEvent } from '../../events/record-event.ts';
import { findDueStart, PUBLICATION_LEAD_MS } from './key-times.ts';
import {
  deleteSigningKeys,
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  type NewSigningKey,
  retireSigningKeys,
} from './queries.ts';

export interface RotateKeysDeps extends DatabaseDeps {
  readonly keySeal: SecretSeal;
}

/** Creates the first key, or the next one if it is time. Of several nodes that call it at once, one does. */
export async function rotateKeysWhenDue({ database, clock, keySeal }: RotateKeysDeps): Promise<void> {
  if (findDueStart(await listSigningKeys(database), clock()) === null) return;
  const key = await generateKey(keySeal);
  await database.transaction(async (tx) => {
    await lockSigningKeys(tx);
    const now = clock();
    const keys = await listSigningKeys(tx);
    const signsFrom = findDueStart(keys, now);
    // Another node has created it meanwhile.
    if (signsFrom === null) return;
    await storeSuccessor(tx, key, { now, signsFrom });
    if (keys.length > 0) await recordRotation(tx, key, { now, signsFrom, hasRevoked: false });
  });
}

/** Creates the next key, which signs an hour later; at once with `revokesOld`, which deletes the others. */
export async function rotateKeysNow(
  { database, clock, keySeal }: RotateKeysDeps,
  { revokesOld }: { readonly revokesOld: boolean },
): Promise<void> {
  const key = await generateKey(keySeal);
  await database.transaction(async (tx) => {
    await lockSigningKeys(tx);
    const now = clock();
    if (revokesOld) await deleteSigningKeys(tx);
    const isFirst = (await listSigningKeys(tx)).length === 0;
    const signsFrom = isFirst ? now : now + PUBLICATION_LEAD_MS;
    await storeSuccessor(tx, key, { now, signsFrom });
    await recordRotation(tx, key, { now, signsFrom, hasRevoked: revokesOld });
  });
}

interface Start {
  readonly now: number;
  readonly signsFrom: number;
}

async function storeSuccessor(tx: Tx, key: NewSigningKey, start: Start): Promise<void> {
  await retireSigningKeys(tx, start.signsFrom);
  await insertSigningKey(tx, { ...key, ...start });
}

async function recordRotation(
  tx: Tx,
  { id }: NewSigningKey,
  { now, signsFrom, hasRevoked }: Start & { readonly hasRevoked: boolean },
): Promise<void> {
  const details = { kid: id, signs_from: formatTimestamp(signsFrom), revoked: hasRevoked };
  await recordEvent(tx, { type: 'signing_key.rotated', subject: 'signing_keys', details, now });
}

/** The algorithm of all keys: ECDSA with P-256 and SHA-256 (RFC 7518 section 3.4). */
export const ALGORITHM = 'ES256';

/** Generates a key pair, with the private key encrypted. Not to be called in a transaction. */
async function generateKey(seal: SecretSeal): Promise<NewSigningKey> {
  // Imported with the first key, because the import would delay the start.
  const { exportJWK, generateKeyPair } = await import('jose');
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const id = newId();
  return {
    id,
    public_key: JSON.stringify(await exportJWK(publicKey)),
    private_key: seal.seal(id, Buffer.from(JSON.stringify(await exportJWK(privateKey)))),
  };
}

/** Creates the encryption of private keys, JSON Web Keys as text, each bound to the id of its signing key. */
export function createKeySeal(secretKey: string): SecretSeal {
  return createSeal(secretKey, 'signing-keys');
}

/** Returns the step of the housekeeping that creates the next signing key; none if no service verifies tokens. */
export function createKeyRotation(
  { jwtAudiences }: { readonly jwtAudiences: readonly string[] },
  { secretKey, ...deps }: Omit<RotateKeysDeps, 'keySeal'> & { readonly secretKey: string },
) {
  if (jwtAudiences.length === 0) return undefined;
  const keySeal = createKeySeal(secretKey);
  return () => rotateKeysWhenDue({ ...deps, keySeal });
}
