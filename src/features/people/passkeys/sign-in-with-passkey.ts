/** Signs a person in with a passkey. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Tx } from '../../../database/database.ts';
import { hashToken } from '../../../lib/secrets/tokens.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueueNotice } from '../../mail/enqueue-mail.ts';
import { findUser } from '../../users/records/queries.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';
import { type AuthenticationMethod, passGate } from '../sign-in/gate.ts';
import type { Issue } from '../sign-in/log-in.ts';
import { RejectedLogin, rethrowRecorded } from '../sign-in/rejected-login.ts';
import { type Ceremony, loadLibrary } from './begin-ceremony.ts';
import {
  checkAuthenticatorData,
  checkClientData,
  decodeBase64url,
  FlawedResponse,
  readClientData,
  requireSound,
} from './check-response.ts';
import type { PasskeyRow } from './passkey.ts';
import { findByCredentialId, recordPasskeyUse, takeChallenge } from './queries.ts';

interface PasskeyLogin extends Ceremony {
  /** What `toJSON()` of the credential has returned: nothing of it is trusted. */
  readonly credential: object;
  readonly clientIp: string;
}

/**
 * Returns what `issue` returns. A passkey that has verified the person counts as two factors. All that is not accepted gets
 * the same problem; event and log have the reason. A counter that has not risen is an event and a notice (WebAuthn Level 3,
 * section 7.2, step 22).
 * @throws Problem invalid_passkey; email_not_verified; second_factor_required with a challenge, of a person who has a
 *   second factor and was not verified
 */
export async function signInWithPasskey<T>(deps: AccountDeps, login: PasskeyLogin, issue: Issue<T>) {
  const response = login.credential as Partial<AuthenticationResponseJSON>;
  const passkey = await findByCredentialId(deps.database, String(response.id));
  const userId = passkey?.user_id ?? null;
  try {
    const use = await verifyAssertion(deps, { ...login, response, passkey });
    const passed = await deps.database.transaction((tx) => admit(deps, tx, { ...login, ...use, issue }));
    deps.activity.userActive(use.passkey.user_id);
    if ('issued' in passed) return passed.issued;
    throw new Problem('second_factor_required', { members: { challenge: passed.challenge } });
  } catch (error) {
    const rejected = error instanceof FlawedResponse ? toRejected(error.flaw) : error;
    return rethrowRecorded(deps, rejected, { accountKey: '', userId });
  }
}

const toRejected = (reason: string) =>
  new RejectedLogin(reason === 'disabled' ? reason : 'passkey', 'invalid_passkey', {
    reason,
    headers: { 'www-authenticate': 'Bearer realm="api"' },
  });

interface Assertion extends PasskeyLogin {
  readonly response: Partial<AuthenticationResponseJSON>;
  readonly passkey: Awaited<ReturnType<typeof findByCredentialId>>;
}

/** Returns the passkey and what its authenticator says. The challenge is used up first. @throws FlawedResponse */
async function verifyAssertion(deps: AccountDeps, { response, passkey, relyingParty, binding }: Assertion) {
  const { clientDataJSON, authenticatorData, userHandle } = response.response ?? {};
  const data = readClientData(clientDataJSON);
  const taken = await deps.database.transaction((tx) =>
    takeChallenge(tx, { hash: hashToken(data.challenge), purpose: 'sign_in', binding, now: deps.clock() }),
  );
  requireSound(taken !== undefined, 'challenge');
  checkClientData(data, { type: 'webauthn.get', relyingParty });
  const bytes = decodeBase64url(authenticatorData);
  checkAuthenticatorData(bytes, { rpId: relyingParty.id, needsVerification: false });
  requireSound(passkey !== undefined && passkey.rp_id === relyingParty.id, 'unknown_credential');
  // The library compares neither. Security keys that are given a list may omit the handle.
  requireSound(taken.user_id === null || taken.user_id === passkey.user_id, 'user_handle');
  requireSound(userHandle === passkey.handle || (!userHandle && taken.user_id !== null), 'user_handle');
  const verified = await callLibrary(response, { passkey, relyingParty, challenge: data.challenge });
  requireSound(verified.verified, 'signature');
  return { passkey, info: verified.authenticationInfo };
}

async function callLibrary(
  response: Assertion['response'],
  expected: Pick<Ceremony, 'relyingParty'> & { passkey: PasskeyRow; challenge: string },
) {
  const { passkey, relyingParty, challenge } = expected;
  const { verifyAuthenticationResponse } = await loadLibrary();
  const verification = verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: [...relyingParty.origins],
    expectedRPID: relyingParty.id,
    // The gate decides.
    requireUserVerification: false,
    credential: {
      id: passkey.credential_id,
      publicKey: Uint8Array.from(Buffer.from(passkey.public_key, 'base64url')),
      // With the stored one, the library would reject a lower counter before it checks the signature.
      counter: 0,
    },
  });
  return verification.catch(() => {
    throw new FlawedResponse('malformed');
  });
}

type Verified = Awaited<ReturnType<typeof verifyAssertion>>;

async function admit<T>(
  deps: AccountDeps,
  tx: Tx,
  login: Verified & Pick<PasskeyLogin, 'clientIp'> & { readonly issue: Issue<T> },
) {
  const { passkey, info, clientIp, issue } = login;
  const { user_id: userId, id } = passkey;
  const network = deps.loginGuard.hashNetwork(clientIp);
  const passed = await passGate(deps, tx, { userId, amr: toMethods(info), network });
  if (passed === null) throw toRejected('disabled');
  const counter = info.newCounter;
  const now = deps.clock();
  const flags = {
    backup_eligible: Number(info.credentialDeviceType === 'multiDevice'),
    backed_up: Number(info.credentialBackedUp),
  };
  // The gate has locked the user.
  const before = await recordPasskeyUse(tx, { id, counter, ...flags, now });
  requireSound(before !== undefined, 'unknown_credential');
  if (counter <= before && before > 0) await reportFallenCounter(tx, { userId, id, now });
  return 'challenge' in passed ? passed : { issued: await issue(tx, passed.admitted) };
}

function toMethods({ credentialDeviceType, userVerified }: Verified['info']): AuthenticationMethod[] {
  const possession = credentialDeviceType === 'multiDevice' ? 'swk' : 'hwk';
  return userVerified ? [possession, 'user', 'mfa'] : [possession, 'user'];
}

async function reportFallenCounter(
  tx: Tx,
  { userId, id, now }: { readonly userId: string; readonly id: string; readonly now: number },
): Promise<void> {
  const event = { type: 'passkey.counter_fell', userId, actor: 'user', details: { passkey: id } } as const;
  await recordEvent(tx, { ...event, now });
  await enqueueNotice(tx, (await findUser(tx, userId))!, { kind: 'passkey_counter_fell', now });
}
