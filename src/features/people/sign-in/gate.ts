/** The gate: whatever issues a token or starts a sign-in session for a person passes it. */
import type { Tx } from '../../../database/database.ts';
import { hashToken, newRandomToken } from '../../../lib/secrets/tokens.ts';
import { type Clock, MINUTE } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import { countSignIn } from '../../activity/sign-in-counts.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueueNotice } from '../../mail/enqueue-mail.ts';
import { recordLogin, type UserRow } from '../../users/records/queries.ts';
import { type AcceptCodeDeps, acceptUserCode } from '../second-factor/accept-code.ts';
import { insertChallenge, storeNetwork } from './queries.ts';

/**
 * Ways of authentication (RFC 8176, where it has a name). `fed`: an identity provider; `email`: a code or link sent to the
 * address; `hwk` and `swk`: a passkey of one device or a synchronised one, with `user`, and with `mfa` if it has verified
 * the person.
 */
export type AuthenticationMethod = 'pwd' | 'otp' | 'fed' | 'email' | 'hwk' | 'swk' | 'user' | 'mfa';

/** Whether the person has proved two factors: with a code, or with a passkey that has verified them. */
export const hasTwoFactors = (amr: readonly AuthenticationMethod[]) =>
  amr.includes('otp') || amr.includes('mfa');

export interface GateDeps extends AcceptCodeDeps {
  readonly clock: Clock;
  readonly settings: CurrentSettingsSource;
}

interface ProvenPerson {
  readonly userId: string;
  readonly amr: readonly AuthenticationMethod[];
  /** A keyed hash of the network of the request (`network` of the LoginGuard). */
  readonly network: string;
  /** With a password: the hash that it was verified against, and the one to store: another if its parameters are outdated. */
  readonly password?: { readonly verifiedHash: string; readonly newHash: string };
  /** Code of the second factor, as it was typed. Ignored if the person has none. */
  readonly code?: string | undefined;
}

export interface Admitted {
  readonly user: UserRow;
  readonly amr: readonly AuthenticationMethod[];
  readonly authenticatedAt: number;
}

/**
 * Records the sign-in and returns the person, for whom the same transaction issues a token or a session; or a challenge,
 * shown once, if the person has a second factor and has proved only one, without a code; or null if the account is not
 * active or its password was replaced meanwhile.
 * @throws Problem email_not_verified, where the settings require it; invalid_totp_code
 */
export async function passGate(
  deps: GateDeps,
  tx: Tx,
  person: ProvenPerson,
): Promise<{ readonly admitted: Admitted } | { readonly challenge: string } | null> {
  const { userId, network, password, code } = person;
  const now = deps.clock();
  const hasCode = code !== undefined || hasTwoFactors(person.amr) ? 1 : 0;
  const { verifiedHash = null, newHash = null } = password ?? {};
  const user = await recordLogin(tx, { userId, now, verifiedHash, newHash, hasCode });
  if (user === undefined) return null;
  if (!hasRequiredEmail(deps, user)) throw new Problem('email_not_verified');
  const isDue = user.totp_enabled_at !== null && !hasTwoFactors(person.amr);
  if (isDue && code === undefined) return { challenge: await createChallenge(tx, { ...person, now }) };
  if (isDue && code !== undefined) await acceptUserCode(deps, tx, { user, code, now });
  const amr = isDue ? [...person.amr, 'otp' as const] : person.amr;
  await recordSignIn(tx, user, { network, now });
  countSignIn(tx, amr, now);
  return { admitted: { user, amr, authenticatedAt: now } };
}

function hasRequiredEmail({ settings }: Pick<GateDeps, 'settings'>, user: UserRow): boolean {
  return !settings.current.requireVerifiedEmail || user.email_verified_at !== null;
}

/** Whether the gate still admits the person of an earlier sign-in, which a program continues without them. */
export function isStillAdmitted(deps: Pick<GateDeps, 'settings'>, user: UserRow): boolean {
  return user.state === 'active' && hasRequiredEmail(deps, user);
}

async function recordSignIn(tx: Tx, user: UserRow, { network, now }: { network: string; now: number }) {
  const { id: userId } = user;
  const isNewNetwork = await storeNetwork(tx, { userId, network, now });
  const reason = isNewNetwork ? 'new_network' : null;
  await recordEvent(tx, { type: 'login.succeeded', userId, actor: 'user', reason, now });
  if (isNewNetwork) await enqueueNotice(tx, user, { kind: 'new_network', now });
}

/**
 * Returns the person of an account that this transaction has created: it has no second factor, its network becomes known
 * by its first login, and its creation is the event.
 */
export function passGateAsNew(
  tx: Tx,
  { user, amr, now }: Pick<Admitted, 'user' | 'amr'> & { readonly now: number },
): Admitted {
  countSignIn(tx, amr, now);
  return { user, amr, authenticatedAt: now };
}

const LIFETIME_MS = 5 * MINUTE;

/** Stores a challenge and returns it. Only its hash is stored. */
async function createChallenge(
  tx: Tx,
  { userId, amr, now }: { readonly userId: string; readonly amr: readonly string[]; readonly now: number },
): Promise<string> {
  const challenge = newRandomToken();
  const row = { hash: hashToken(challenge), userId, amr: amr.join(' '), expiresAt: now + LIFETIME_MS };
  await insertChallenge(tx, row);
  return challenge;
}
