/** Codes that are mailed to the address that a provider has named. */

import { timingSafeEqual } from 'node:crypto';
import type { DatabaseDeps, Tx } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { normalizeTypedCode } from '../../../lib/text/typed-code.ts';
import { MINUTE } from '../../../lib/time.ts';
import { validationFailed } from '../../../problems/validation-failed.ts';
import { enqueueMail } from '../../mail/enqueue-mail.ts';
import type { GetMailCode } from '../../mail/mail-codes.ts';
import { countDropped } from '../../mail/messages/end-message.ts';
import { countAnonymousMail } from '../../mail/queries.ts';
import { MAX_REQUESTED } from '../../people/accounts/request-link.ts';
import type { AccountDeps } from '../../people/sign-in/account-deps.ts';
import { type PendingRow, useCodeTry, writeCode } from '../upstream/queries.ts';
import type { Arrival } from './decide-linking.ts';

const LIFETIME_MS = 10 * MINUTE;
const MAX_TRIES = 5;
/** Most codes that are mailed for one sign-in: each gives five more tries. */
const MAX_CODES = 3;

/** Time in which a form is sent again by somebody who has not seen the response. */
const REPETITION_MS = 10_000;

/** Mails a new code, which replaces the one before. Nothing is mailed after the third, nor for a second press. */
export async function mailCode(deps: AccountDeps, tx: Tx, { browserHash, identity, clientIp }: Arrival) {
  const [codeId, now] = [newId(), deps.clock()];
  const expiresAt = now + LIFETIME_MS;
  const untriedUntil = expiresAt - REPETITION_MS;
  if (!(await writeCode(tx, { browserHash, codeId, expiresAt, untriedUntil, maxCodes: MAX_CODES }))) return;
  if ((await countAnonymousMail(tx, MAX_REQUESTED)) >= MAX_REQUESTED) return countDropped(tx);
  // By which the limits of the address tell its owner from others.
  const data = { code_id: codeId, network: deps.loginGuard.hashNetwork(clientIp) };
  await enqueueMail(tx, { kind: 'sign_in_code', userId: null, email: identity.email!, data, now });
}

/** @throws Problem validation_failed for a wrong code, one that has expired, and after five tries */
export async function checkCode(
  { database, clock, getMailCode }: DatabaseDeps & { readonly getMailCode: GetMailCode },
  { browser_hash: browserHash, code_id }: PendingRow,
  code: string,
): Promise<void> {
  // Counted before the comparison, so that answers at the same time do not get more tries.
  const isLeft = await database.transaction((tx) =>
    useCodeTry(tx, { browserHash, now: clock(), maxTries: MAX_TRIES }),
  );
  const wrong = (text: string) => validationFailed({ mail_code: [text] });
  if (!isLeft || code_id === null) throw wrong('The code has expired or had too many tries.');
  const expected = Buffer.from(normalizeTypedCode(getMailCode(code_id)));
  const given = Buffer.from(normalizeTypedCode(code));
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw wrong('The code is wrong.');
}
