/** Codes that prove access to an address: ten minutes, five tries. They are derived from an id, and not stored. */
import { timingSafeEqual } from 'node:crypto';
import type { DatabaseDeps, Tx } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { normalizeTypedCode } from '../../../lib/text/text.ts';
import { MINUTE } from '../../../lib/time.ts';
import { enqueueMail } from '../../mail/enqueue-mail.ts';
import type { GetMailCode } from '../../mail/mail-codes.ts';
import { countDropped } from '../../mail/messages/end-message.ts';
import { countAnonymousMail } from '../../mail/queries.ts';
import { isDelivered } from '../../mail/settings.ts';
import type { AccountDeps } from './account-deps.ts';
import type { MailedCodes } from './mailed-code-queries.ts';

const LIFETIME_MS = 10 * MINUTE;
const MAX_TRIES = 5;
/** Most codes that are mailed for one sign-in: each gives five more tries. */
const MAX_CODES = 3;

/** Time in which a form is sent again by somebody who has not seen the response. */
const REPETITION_MS = 10_000;

/** Requested messages that are stored at most: those of an hour in which the mail server does not respond. */
export const MAX_REQUESTED = 5_000;
/** The same where nothing is sent: few, for the operator who is about to configure mail. */
export const MAX_UNDELIVERED = 100;

/**
 * Whether another message that anybody can request may be queued; counts it as dropped if not. Transactions of other
 * nodes at the same moment may exceed the limit by one each.
 */
export async function admitRequested({ mail }: Pick<AccountDeps, 'mail'>, tx: Tx): Promise<boolean> {
  const limit = isDelivered(mail) ? MAX_REQUESTED : MAX_UNDELIVERED;
  const isAdmitted = (await countAnonymousMail(tx, limit)) < limit;
  if (!isAdmitted) countDropped(tx);
  return isAdmitted;
}

/** Mails a new code, which replaces the one before. Nothing is mailed after the third, nor for a second press. */
export async function mailCode(
  deps: Pick<AccountDeps, 'clock' | 'mail'>,
  tx: Tx,
  waiting: {
    readonly codes: MailedCodes;
    /** That of the row that waits for the code. */
    readonly hash: string;
    readonly email: string;
    /** By which the limits of the address tell its owner from others. */
    readonly network: string;
    /** Who gets the message (recipient.ts); absent: whoever has the address. */
    readonly purpose?: 'sign_in' | 'sign_up';
  },
): Promise<void> {
  const { codes, hash, email, network, purpose } = waiting;
  const [codeId, now] = [newId(), deps.clock()];
  const expiresAt = now + LIFETIME_MS;
  const written = { hash, codeId, expiresAt, untriedUntil: expiresAt - REPETITION_MS, maxCodes: MAX_CODES };
  if (!(await codes.write(tx, written)) || !(await admitRequested(deps, tx))) return;
  const data = { code_id: codeId, network, ...(purpose && { purpose }) };
  await enqueueMail(tx, { kind: 'sign_in_code', userId: null, email, data, now });
}

/** Returns the id of the code if it is the right one; null for a wrong one, one that has expired, and after five tries. */
export async function checkCode(
  { database, clock, getMailCode }: DatabaseDeps & { readonly getMailCode: GetMailCode },
  { codes, hash, code }: { readonly codes: MailedCodes; readonly hash: string; readonly code: string },
): Promise<string | null> {
  // Counted before the comparison, so that answers at the same time do not get more tries.
  const counted = { hash, now: clock(), maxTries: MAX_TRIES };
  const tried = await database.transaction((tx) => codes.useTry(tx, counted));
  if (tried === undefined) return null;
  const expected = Buffer.from(normalizeTypedCode(getMailCode(tried.code_id)));
  const given = Buffer.from(normalizeTypedCode(code));
  return given.length === expected.length && timingSafeEqual(given, expected) ? tried.code_id : null;
}
