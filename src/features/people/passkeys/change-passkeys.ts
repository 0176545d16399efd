/** Adds, renames and removes passkeys. */
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { DatabaseDeps, Tx } from '../../../database/database.ts';
import { isId, newId } from '../../../lib/secrets/ids.ts';
import { hashToken } from '../../../lib/secrets/tokens.ts';
import { Problem } from '../../../problems/problem.ts';
import { validationFailed } from '../../../problems/validation-failed.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueueNotice } from '../../mail/enqueue-mail.ts';
import { lockUser, type UserRow } from '../../users/records/queries.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';
import { changeWithProof, type Proof } from '../sign-in/require-proof.ts';
import { requireWayIn } from '../sign-in/way-in-queries.ts';
import { ALGORITHMS, type Ceremony, loadLibrary, readTransports } from './begin-ceremony.ts';
import {
  checkAuthenticatorData,
  checkClientData,
  decodeBase64url,
  FlawedResponse,
  readClientData,
  requireSound,
} from './check-response.ts';
import { createPasskeyName, MAX_PASSKEYS, type PasskeyRow } from './passkey.ts';
import * as queries from './queries.ts';

interface NewPasskey extends Ceremony {
  readonly userId: string;
  /** What `toJSON()` of the credential has returned: nothing of it is trusted. */
  readonly credential: object;
  /** Without one, that of the authenticator. */
  readonly name?: string | undefined;
  /** What a USB key is called, in the language of the user. */
  readonly securityKey?: string;
}

/**
 * Stores the passkey that a browser has made with the options of `createPasskeyOptions`, which had the proof. The user gets a
 * notice.
 * @throws Problem validation_failed for all that is not accepted; too_many_passkeys, unauthorized (disabled meanwhile)
 */
export async function addPasskey(deps: AccountDeps, passkey: NewPasskey): Promise<PasskeyRow> {
  try {
    const verified = await verifyAttestation(deps, passkey);
    return await deps.database.transaction((tx) => store(deps, tx, { ...passkey, verified }));
  } catch (error) {
    throw error instanceof FlawedResponse ? notAccepted(error.flaw) : error;
  }
}

/** A 401 would mean that the session has ended. */
function notAccepted(reason: string): Problem {
  const { text, options } = validationFailed({ credential: ['The passkey is not accepted.'] });
  return new Problem('validation_failed', { ...options, text, reason });
}

async function verifyAttestation(
  { database, clock }: DatabaseDeps,
  { credential, relyingParty, binding, userId }: NewPasskey,
) {
  const response = credential as RegistrationResponseJSON;
  const data = readClientData(response.response?.clientDataJSON);
  const { challenge } = data;
  const taken = await database.transaction((tx) =>
    queries.takeChallenge(tx, { hash: hashToken(challenge), purpose: 'add', binding, now: clock() }),
  );
  requireSound(taken?.user_id === userId, 'challenge');
  checkClientData(data, { type: 'webauthn.create', relyingParty });
  await checkAttestationObject(response.response.attestationObject, relyingParty.id);
  const { verifyRegistrationResponse } = await loadLibrary();
  const verification = verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: [...relyingParty.origins],
    expectedRPID: relyingParty.id,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  const { registrationInfo } = await verification.catch(() => {
    throw new FlawedResponse('attestation');
  });
  requireSound(registrationInfo !== undefined, 'signature');
  requireSound(registrationInfo.credential.id === response.id, 'credential_id');
  return { ...registrationInfo, transports: readTransports(response.response.transports) };
}

/** Finds the reasons that the library has only texts for. @throws FlawedResponse */
async function checkAttestationObject(text: unknown, rpId: string): Promise<void> {
  const bytes = decodeBase64url(text);
  const { decodeAttestationObject, decodeCredentialPublicKey, parseAuthenticatorData } = await import(
    '@simplewebauthn/server/helpers'
  );
  const decode = <T>(work: () => T): T => {
    try {
      return work();
    } catch {
      throw new FlawedResponse('malformed');
    }
  };
  const authData = decode(() => decodeAttestationObject(Uint8Array.from(bytes)).get('authData'));
  checkAuthenticatorData(authData, { rpId, needsVerification: true });
  const key = decode(() => parseAuthenticatorData(authData).credentialPublicKey);
  requireSound(key !== undefined, 'malformed');
  requireSound(ALGORITHMS.includes(Number(decode(() => decodeCredentialPublicKey(key).get(3)))), 'algorithm');
}

type Verified = Awaited<ReturnType<typeof verifyAttestation>>;

async function store(
  { clock }: Pick<DatabaseDeps, 'clock'>,
  tx: Tx,
  { userId, name, securityKey = 'Security key', relyingParty, verified }: NewPasskey & { verified: Verified },
): Promise<PasskeyRow> {
  const user = await lockUser(tx, userId);
  if (user?.state !== 'active') throw new Problem('unauthorized');
  const others = await queries.listPasskeys(tx, userId);
  if (others.length >= MAX_PASSKEYS) throw new Problem('too_many_passkeys');
  const { credential, aaguid, credentialDeviceType, credentialBackedUp, transports } = verified;
  const taken = others.map((other) => other.name);
  const now = clock();
  const row: PasskeyRow = {
    id: newId(),
    user_id: userId,
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    rp_id: relyingParty.id,
    counter: credential.counter,
    transports: transports.join(' '),
    aaguid,
    name: name ?? createPasskeyName({ aaguid, transports }, { taken, securityKey }),
    backup_eligible: Number(credentialDeviceType === 'multiDevice'),
    backed_up: Number(credentialBackedUp),
    created_at: now,
    last_used_at: null,
  };
  requireSound((await queries.insertPasskey(tx, row)) === 1, 'registered');
  await recordEvent(tx, { type: 'passkey.added', userId, details: { passkey: row.id }, now });
  await enqueueNotice(tx, user, { kind: 'passkey_added', now });
  return row;
}

/** @throws Problem passkey_not_found */
export function renamePasskey(
  { database, clock }: DatabaseDeps,
  passkey: { readonly userId: string; readonly id: string; readonly name: string },
): Promise<PasskeyRow> {
  return database.transaction(async (tx) => {
    const row = isId(passkey.id) ? await queries.updateName(tx, passkey) : undefined;
    if (row === undefined) throw new Problem('passkey_not_found');
    const { userId, id } = passkey;
    await recordEvent(tx, { type: 'passkey.renamed', userId, details: { passkey: id }, now: clock() });
    return row;
  });
}

/** Removes an own passkey. @throws Problem passkey_not_found, last_way_in; as `requireProof` */
export function removeOwnPasskey(deps: AccountDeps, proof: Proof, id: string): Promise<true> {
  return changeWithProof(deps, proof, async (tx, user) => {
    await removePasskey(deps, tx, { user, id });
    return true as const;
  });
}

/** Removes a passkey of a locked user, who gets a notice. @throws Problem passkey_not_found, last_way_in (no other one works) */
export async function removePasskey(
  deps: Pick<AccountDeps, 'settings' | 'mail' | 'relyingParty' | 'clock'>,
  tx: Tx,
  { user, id }: { readonly user: UserRow; readonly id: string },
): Promise<void> {
  const { id: userId } = user;
  const now = deps.clock();
  if (!isId(id) || (await queries.deletePasskey(tx, { id, userId })) === 0)
    throw new Problem('passkey_not_found');
  await requireWayIn(deps, tx, userId);
  await recordEvent(tx, { type: 'passkey.removed', userId, details: { passkey: id }, now });
  await enqueueNotice(tx, user, { kind: 'passkey_removed', now });
}
