/** Mails codes with which people sign in or up. */
import { createKeyedHash } from '../../../lib/secrets/encryption.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { hashToken } from '../../../lib/secrets/tokens.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import type { AccountDeps } from './account-deps.ts';
import { findSignInCode, openSignInCode, type SignInCodeRow, signInCodes } from './mailed-code-queries.ts';
import { mailCode } from './mailed-codes.ts';

/** Characters of a challenge. */
const LENGTH = 43;

/** Returns the function that derives a challenge from its id, so that a request that is sent again gets the same one. */
export function createCodeChallenges(secretKey: string): (id: string) => string {
  const hash = createKeyedHash(secretKey, 'sign-in-codes');
  return (id) => hashToken(hash(id)).slice(0, LENGTH);
}

/**
 * Mails a code to the address if it belongs to an account that is not disabled or, with the name of a person who signs up,
 * to nobody; that is looked up when the message is sent. Returns the challenge to which the code is bound. The work is the
 * same for all addresses, so that neither the response nor its time reveals accounts (OWASP Authentication Cheat Sheet).
 */
export async function requestCode(
  deps: AccountDeps,
  requested: { readonly email: string; readonly name?: string | null; clientIp: string },
): Promise<string> {
  const { email, name = null, clientIp } = requested;
  const id = newId();
  const row = {
    ...{ id, hash: hashToken(deps.getCodeChallenge(id)), email, name },
    email_key: normalizeEmail(email),
    network: deps.loginGuard.hashNetwork(clientIp),
  };
  return deps.database.transaction(async (tx) => {
    const waiting = await openSignInCode(tx, row, deps.clock());
    await mailNewCode(deps, tx, waiting);
    return deps.getCodeChallenge(waiting.id);
  });
}

/** Mails another code for the same sign-in. Returns false if it has expired. */
export async function requestAnotherCode(deps: AccountDeps, challenge: string): Promise<boolean> {
  const { database, clock } = deps;
  const waiting = await findSignInCode(database, hashToken(challenge), clock());
  if (waiting === undefined) return false;
  await database.transaction((tx) => mailNewCode(deps, tx, waiting));
  return true;
}

function mailNewCode(
  deps: AccountDeps,
  tx: Parameters<typeof mailCode>[1],
  { hash, email, network, name }: SignInCodeRow,
): Promise<void> {
  const purpose = name === null ? 'sign_in' : 'sign_up';
  return mailCode(deps, tx, { codes: signInCodes, hash, email, network, purpose });
}
