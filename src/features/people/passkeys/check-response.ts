/**
 * Checks of the responses of authenticators (WebAuthn Level 3, sections 7.1 and 7.2) that the library does not make, and the
 * reasons of those that it makes: its texts contain values.
 */
import { hash } from 'node:crypto';

/** Why a response is not accepted: for the log and events. Clients get the same problem for each. */
export type PasskeyFlaw =
  | 'malformed'
  | 'type'
  | 'challenge'
  | 'origin'
  | 'embedded'
  | 'relying_party'
  | 'presence'
  | 'verification'
  | 'backup_state'
  | 'unknown_credential'
  | 'credential_id'
  | 'user_handle'
  | 'algorithm'
  | 'attestation'
  | 'signature'
  | 'registered';

/** A response that is not accepted. */
export class FlawedResponse extends Error {
  override name = 'FlawedResponse';
  readonly flaw: PasskeyFlaw;

  constructor(flaw: PasskeyFlaw) {
    super(flaw);
    this.flaw = flaw;
  }
}

/** @throws FlawedResponse */
export function requireSound(isSound: boolean, flaw: PasskeyFlaw): asserts isSound {
  if (!isSound) throw new FlawedResponse(flaw);
}

const BASE64URL = /^[\w-]+$/;

/** Returns the bytes of a text in base64url without padding. @throws FlawedResponse */
export function decodeBase64url(text: unknown): Buffer {
  requireSound(typeof text === 'string' && BASE64URL.test(text), 'malformed');
  return Buffer.from(text, 'base64url');
}

export interface ClientData {
  readonly type: unknown;
  readonly challenge: string;
  readonly origin: unknown;
  readonly crossOrigin?: unknown;
  readonly topOrigin?: unknown;
}

/** Parses `clientDataJSON`. @throws FlawedResponse */
export function readClientData(clientDataJson: unknown): ClientData {
  const text = decodeBase64url(clientDataJson).toString();
  try {
    const { challenge, ...data } = JSON.parse(text);
    requireSound(typeof challenge === 'string', 'malformed');
    return { ...data, challenge };
  } catch {
    throw new FlawedResponse('malformed');
  }
}

interface Expected {
  readonly type: 'webauthn.create' | 'webauthn.get';
  readonly relyingParty: { readonly id: string; readonly origins: readonly string[] };
}

/** Rejects ceremonies of another kind or page, and those in a frame. @throws FlawedResponse */
export function checkClientData(data: ClientData, { type, relyingParty }: Expected): void {
  requireSound(data.type === type, 'type');
  requireSound((data.crossOrigin ?? false) === false && data.topOrigin === undefined, 'embedded');
  requireSound(relyingParty.origins.includes(String(data.origin)), 'origin');
}

const FLAGS = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10 };
/** Hash of the RP ID, flags and counter (section 6.1). */
const MIN_BYTES = 37;

/** @throws FlawedResponse */
export function checkAuthenticatorData(
  bytes: Uint8Array,
  { rpId, needsVerification }: { readonly rpId: string; readonly needsVerification: boolean },
): void {
  requireSound(bytes.length >= MIN_BYTES, 'malformed');
  const has = (flag: keyof typeof FLAGS) => (bytes[32]! & FLAGS[flag]) !== 0;
  requireSound(hash('sha256', rpId, 'buffer').equals(bytes.subarray(0, 32)), 'relying_party');
  requireSound(has('present'), 'presence');
  requireSound(has('verified') || !needsVerification, 'verification');
  requireSound(has('backupEligible') || !has('backedUp'), 'backup_state');
}
