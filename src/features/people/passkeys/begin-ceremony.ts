/** Options by which a browser signs in with a passkey, or makes one. */
import { randomBytes } from 'node:crypto';
import type { Tx } from '../../../database/database.ts';
import { hashToken } from '../../../lib/secrets/tokens.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { MINUTE } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { findCredentials } from '../../users/records/queries.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';
import type { RelyingParty } from '../sign-in/relying-party.ts';
import { changeWithProof, type Proof } from '../sign-in/require-proof.ts';
import { MAX_PASSKEYS, type PasskeyRow } from './passkey.ts';
import { insertChallenge, keepHandle, listPasskeys } from './queries.ts';

const LIFETIME_MS = 5 * MINUTE;
/** ES256, RS256 and Ed25519, in the order of preference. */
export const ALGORITHMS = [-7, -257, -8];
const RANDOM_BYTES = 32;

/** The library takes half a second and 27 MiB: it is loaded at its first use. */
export const loadLibrary = () => import('@simplewebauthn/server');

export interface Ceremony {
  /** Of the request (`requireRelyingParty`). */
  readonly relyingParty: RelyingParty;
  /** Hash of the cookie of the browser that has to complete it; empty for programs, which have the challenge only. */
  readonly binding: string;
}

/**
 * Returns the options of a sign-in (PublicKeyCredentialRequestOptionsJSON); with an email, those of its passkeys. Emails
 * without an account or passkeys get passkeys that do not exist, always the same (WebAuthn Level 3, section 14.6.2).
 */
export async function createSignInOptions(
  deps: Pick<AccountDeps, 'database' | 'clock' | 'getPasskeyDecoy'>,
  { relyingParty, binding, email }: Ceremony & { readonly email?: string | undefined },
) {
  const { database } = deps;
  const emailKey = email === undefined ? undefined : normalizeEmail(email);
  const user = emailKey === undefined ? undefined : await findCredentials(database, emailKey);
  const challenge = randomBytes(RANDOM_BYTES);
  const row = { purpose: 'sign_in', binding, user_id: user?.id ?? null } as const;
  await database.transaction((tx) => storeChallenge(deps, tx, { ...row, challenge }));
  const { generateAuthenticationOptions } = await loadLibrary();
  return generateAuthenticationOptions({
    ...{ rpID: relyingParty.id, challenge, timeout: LIFETIME_MS, userVerification: 'preferred' },
    ...(emailKey !== undefined && {
      allowCredentials: await listAllowed(deps, { emailKey, userId: user?.id ?? '', rpId: relyingParty.id }),
    }),
  });
}

async function listAllowed(
  { database, getPasskeyDecoy }: Pick<AccountDeps, 'database' | 'getPasskeyDecoy'>,
  { emailKey, userId, rpId }: Readonly<Record<'emailKey' | 'userId' | 'rpId', string>>,
) {
  const own = (await listPasskeys(database, userId)).filter(({ rp_id }) => rp_id === rpId);
  // Computed for all, so that they take the same time.
  const decoys = [1, 2].map((number) => getPasskeyDecoy(`${number} ${emailKey}`));
  const count = decoys[0]! < decoys[1]! ? 1 : 2;
  const transports = ['hybrid', 'internal'] as const;
  return own.length > 0
    ? own.map(toDescriptor)
    : decoys.slice(0, count).map((id) => ({ id, transports: [...transports] }));
}

/**
 * Returns the options of a new passkey (PublicKeyCredentialCreationOptionsJSON) of a user who has proved that it is them.
 * @throws Problem too_many_passkeys; as `requireProof`
 */
export async function createPasskeyOptions(deps: AccountDeps, proof: Proof, ceremony: Ceremony) {
  const { relyingParty, binding } = ceremony;
  const challenge = randomBytes(RANDOM_BYTES);
  const { user, handle, passkeys } = await changeWithProof(deps, proof, async (tx, user) => {
    const passkeys = await listPasskeys(tx, user.id);
    if (passkeys.length >= MAX_PASSKEYS) throw new Problem('too_many_passkeys');
    const newHandle = randomBytes(RANDOM_BYTES).toString('base64url');
    const handle = await keepHandle(tx, { userId: user.id, handle: newHandle });
    await storeChallenge(deps, tx, { purpose: 'add', binding, user_id: user.id, challenge });
    return { user, handle, passkeys };
  });
  const { generateRegistrationOptions } = await loadLibrary();
  return generateRegistrationOptions({
    rpName: deps.settings.current.instanceName,
    rpID: relyingParty.id,
    userID: Uint8Array.from(Buffer.from(handle, 'base64url')),
    userName: user.email ?? user.name ?? user.id,
    userDisplayName: user.name ?? user.email ?? '',
    challenge,
    timeout: LIFETIME_MS,
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: passkeys.map(toDescriptor),
    // A new object: the library writes into it.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

function toDescriptor({ credential_id: id, transports }: PasskeyRow) {
  return { id, transports: readTransports(transports) };
}

/** Transports of WebAuthn Level 3, section 5.8.4. */
const TRANSPORTS = ['ble', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** Returns the known ones of a list; others would be rejected by browsers, or are no texts. */
export function readTransports(given: unknown) {
  const list: readonly unknown[] =
    typeof given === 'string' ? given.split(' ') : Array.isArray(given) ? given : [];
  return TRANSPORTS.filter((transport) => list.includes(transport));
}

function storeChallenge(
  { clock }: Pick<AccountDeps, 'clock'>,
  tx: Tx,
  {
    challenge,
    ...row
  }: Omit<Parameters<typeof insertChallenge>[1], 'hash' | 'expires_at'> & { readonly challenge: Buffer },
) {
  const hash = hashToken(challenge.toString('base64url'));
  return insertChallenge(tx, { ...row, hash, expires_at: clock() + LIFETIME_MS });
}
