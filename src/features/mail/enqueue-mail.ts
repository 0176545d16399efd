/** Queues messages in the transaction of their cause, so that neither exists without the other. */
import { getActionContext } from '../../callers/action-context.ts';
import type { Tx } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { normalizeEmail } from '../../lib/text/normalize.ts';
import { DAY, HOUR, MINUTE } from '../../lib/time.ts';
import { BULK, ORDINARY, type Priority, URGENT } from '../jobs/queries.ts';
import * as queries from './queries.ts';

/** After this time a message is of no use: a user who has forgotten a password requests another one. */
const LIFETIME_MS = 3 * DAY;
const SHORT_LIFETIMES_MS: { readonly [kind in queries.MailKind]?: number } = {
  reset_password: HOUR,
  sign_in_code: 10 * MINUTE,
};

export interface NewMail {
  readonly kind: queries.MailKind;
  /** Null for an address that may have no account: whether it has one is looked up when the message is sent. */
  readonly userId: string | null;
  readonly email: string;
  readonly isByAdministrator?: boolean;
  /** Whether it may be one of very many that the administrator causes: for created and imported accounts. */
  readonly isBulk?: boolean;
  /**
   * Values that the template shows besides the user's record: `new_email` in a notice about a change of the address.
   * Must not contain a secret.
   */
  readonly data?: Readonly<Record<string, string>>;
  /** URL to which the page of the link leads afterwards; null: none. */
  readonly redirectTo?: string | null;
  /** Path of this service to which the sign-in leads afterwards; null: none. */
  readonly returnTo?: string | null;
  /** Time until it is sent; none if absent. */
  readonly delayMs?: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Queues a message. Notices are queued by `enqueueNotice`. */
export async function enqueueMail(tx: Tx, mail: NewMail): Promise<void> {
  const { kind, userId, email, now } = mail;
  const data = JSON.stringify(getStoredData(mail));
  const job = { id: newId(), kind, user_id: userId, email, data, origin: getOrigin(mail), created_at: now };
  await insertJob(tx, { ...job, priority: getPriority(mail) }, now + (mail.delayMs ?? 0));
}

/** Queues a message that has ended once more, as one of the administrator. */
export async function enqueueAgain(
  tx: Tx,
  mail: Pick<queries.MailRow, 'id' | 'kind' | 'user_id' | 'email' | 'data' | 'created_at'>,
  now: number,
): Promise<void> {
  await insertJob(tx, { ...mail, origin: 'administrator', priority: ORDINARY }, now);
}

async function insertJob(
  tx: Tx,
  mail: Omit<queries.NewMailRow, 'email_key' | 'next_attempt_at' | 'expires_at'>,
  start: number,
): Promise<void> {
  const expires_at = start + (SHORT_LIFETIMES_MS[mail.kind] ?? LIFETIME_MS);
  await queries.insertMail(tx, {
    ...mail,
    email_key: normalizeEmail(mail.email),
    next_attempt_at: start,
    expires_at,
  });
}

/**
 * The language is that of the request of the reader, for users whose record has none. An administrator is not the reader,
 * and the operator causes no request.
 */
function getStoredData({ kind, data = {}, redirectTo, returnTo }: NewMail): Readonly<Record<string, string>> {
  const { language, actor } = getActionContext();
  const isByReader = actor.type !== 'administrator' && !queries.isToOperator(kind);
  return {
    ...data,
    ...(isByReader && language !== undefined && { language }),
    ...(redirectTo != null && { redirect_to: redirectTo }),
    ...(returnTo != null && { return_to: returnTo }),
  };
}

function getOrigin({ isByAdministrator, isBulk, userId }: NewMail): queries.MailOrigin {
  if (isByAdministrator || isBulk) return 'administrator';
  return userId === null ? 'anonymous' : 'user';
}

const AWAITED: readonly queries.MailKind[] = [
  'reset_password',
  'verify_email',
  'change_email',
  'sign_in_code',
];

function getPriority({ kind, isByAdministrator, isBulk }: NewMail): Priority {
  if (isBulk) return BULK;
  // After a theft of passwords, for example, the administrator may send resets to all users.
  return AWAITED.includes(kind) && !isByAdministrator ? URGENT : ORDINARY;
}

/**
 * Queues a notice, unless one of its kind waits for the user already: the earlier one stays, because a client that
 * repeats the event could otherwise keep its notice from being sent. An address that was never verified may belong to
 * another person, who would receive every event of the account: it only receives the last notice, that it is no longer
 * that of the account.
 */
export async function enqueueNotice(
  tx: Tx,
  user: {
    readonly id: string;
    readonly email: string | null;
    /** Null if the address is not verified. */
    readonly email_verified_at: number | null;
  },
  notice: {
    readonly kind: queries.NoticeKind;
    readonly data?: Readonly<Record<string, string>>;
    /** Epoch milliseconds. */
    readonly now: number;
  },
): Promise<void> {
  const { id: userId, email, email_verified_at } = user;
  const { kind, now } = notice;
  if (email === null || (email_verified_at === null && kind !== 'email_changed')) return;
  if (await queries.hasWaitingNotice(tx, { userId, kind, now })) return;
  await enqueueMail(tx, { ...notice, userId, email });
}
