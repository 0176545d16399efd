/** Decides whether a queued message is still needed, and creates its link. */
import type { Tx } from '../../database/database.ts';
import { HOUR } from '../../lib/clock.ts';
import { normalizeEmail } from '../../lib/email-address.ts';
import { hashToken } from '../../lib/tokens.ts';
import { linkUrl } from '../links/link-url.ts';
import { createLink } from '../links/links.ts';
import { deleteLink, deleteLinksToOthers, linksSince } from '../links/queries.ts';
import type { PreparedMail, PrepareMail } from '../mail/message.ts';
import { countEarlierMail, type MailRow } from '../mail/queries.ts';
import { findRecipient, type Recipient } from './recipient.ts';
import { renderMail } from './render-mail.ts';

export interface ContentSettings {
  /** URL that links begin with, without a trailing slash. */
  readonly baseUrl: string;
  readonly serviceName: string;
}

/** Creates the function that prepares messages for sending. */
export function createPrepareMail(settings: ContentSettings): PrepareMail {
  return async (tx, mail, now) => {
    const recipient = await findRecipient(tx, mail);
    if (recipient === null || (await isOverLimit(tx, { mail, recipient, now }))) return null;
    const token = await createLinkOf(tx, recipient, now);
    return preparedMail(settings, { mail, recipient, token });
  };
}

/**
 * Anybody can have these messages sent to an address: at most so many per hour. Messages that name the user are not
 * limited: registration or the administrator has queued them.
 */
const LIMITED: readonly string[] = ['reset_password', 'verify_email'];
const MAX_PER_HOUR = 3;

/** Whether the address has enough messages of this kind, sent or waiting to be sent again. */
async function isOverLimit(
  tx: Tx,
  { mail, recipient, now }: { mail: MailRow; recipient: Recipient; now: number },
): Promise<boolean> {
  const { linkKind, user, to } = recipient;
  if (linkKind === null || !LIMITED.includes(mail.kind) || mail.user_id !== null) return false;
  // A repeated attempt has passed this check before.
  if (mail.attempts > 0) return false;
  const range = { since: now - HOUR, limit: MAX_PER_HOUR };
  const emailKey = normalizeEmail(mail.email);
  if ((await countEarlierMail(tx, { ...mail, emailKey }, range)) >= MAX_PER_HOUR) return true;
  const links = await linksSince(tx, { userId: user.id, kind: linkKind, since: range.since });
  return links.filter(({ email }) => email === to).length >= MAX_PER_HOUR;
}

/** Returns the token, or null for a message without a link. */
async function createLinkOf(tx: Tx, { user, to, linkKind }: Recipient, now: number): Promise<string | null> {
  if (linkKind === null) return null;
  const link = { userId: user.id, kind: linkKind, email: to, now };
  // Only one change of the address is pending. Other links stay valid next to newer ones: mail can arrive late.
  if (linkKind === 'change_email') await deleteLinksToOthers(tx, link);
  return createLink(tx, link);
}

function preparedMail(
  { baseUrl, serviceName }: ContentSettings,
  { mail, recipient, token }: { mail: MailRow; recipient: Recipient; token: string | null },
): PreparedMail {
  const { linkKind, to, user } = recipient;
  const link = linkKind === null || token === null ? null : linkUrl(baseUrl, linkKind, token);
  const service = serviceName || new URL(baseUrl).host;
  return {
    async compose() {
      const { new_email: newEmail = null } = JSON.parse(mail.data) as { new_email?: string };
      const kind = linkKind ?? mail.kind;
      const content = { kind, service, name: user.name, at: mail.created_at, newEmail, link };
      return { id: mail.id, kind, to, link, ...(await renderMail(content)) };
    },
    async withdraw(tx) {
      if (token !== null) await deleteLink(tx, hashToken(token));
    },
  };
}
