/** Decides whether a queued message is still needed and its recipient may get it, and creates its link. */
import type { Tx } from '../../../database/database.ts';
import { hashToken } from '../../../lib/secrets/tokens.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { Texts } from '../../texts/texts.ts';
import type { UserRow } from '../../users/records/queries.ts';
import type { PreparedMail, PrepareMail } from '../delivery/message.ts';
import { createLink, linkUrl } from '../links/links.ts';
import { deleteLink, deleteLinksToOthers, LINK_KINDS, type LinkKind } from '../links/queries.ts';
import type { GetMailCode } from '../mail-codes.ts';
import type { MailKind, MailRow } from '../queries.ts';
import { findRecipient, type Recipient } from './recipient.ts';
import { admitMessage } from './recipient-limits.ts';
import { type MailContent, renderMail } from './render-mail.ts';

interface ContentSettings {
  /** URL that links begin with, without a trailing slash. */
  readonly baseUrl: string;
  readonly settings: CurrentSettingsSource;
  readonly texts: Texts;
  /** Returns the keyed hash under which the limits of an address are stored. */
  readonly recipientHash: (emailKey: string) => string;
  readonly getMailCode: GetMailCode;
}

/** Creates the function that prepares messages for sending. */
export function createPrepareMail(content: ContentSettings): PrepareMail {
  return async (tx, mail, now) => {
    const recipient = await findRecipient(tx, mail);
    if (recipient === null) return null;
    const { id, kind, origin } = mail;
    const message = {
      id,
      kind: origin === 'administrator' ? 'administrator' : kind,
      recipient: content.recipientHash(normalizeEmail(recipient.to)),
      network: (JSON.parse(mail.data) as StoredData).network,
      now,
    } as const;
    // The operator has chosen to get one for each submission.
    if (kind !== 'form_submissions' && !(await admitMessage(tx, message))) return 'over_limit';
    const token = await createRecipientLink(tx, recipient, now);
    return preparedMail(content, { mail, recipient, token });
  };
}

/** Returns the token, or null for a message without a link. */
async function createRecipientLink(tx: Tx, { user, to, linkKind }: Recipient, now: number) {
  if (linkKind === null || user === null) return null;
  const link = { userId: user.id, kind: linkKind, email: to, now };
  // Only one change of the address is pending. Other links stay valid next to newer ones: mail can arrive late.
  if (linkKind === 'change_email') await deleteLinksToOthers(tx, link);
  return createLink(tx, link);
}

interface StoredData {
  readonly new_email?: string;
  readonly language?: string;
  readonly redirect_to?: string;
  readonly return_to?: string;
  readonly url?: string;
  readonly reason?: string;
  readonly days?: string;
  readonly form?: string;
  /** Whether a form of a page has requested the message. */
  readonly is_form?: string;
  readonly provider?: string;
  readonly application?: string;
  /** The id from which the code of the message is derived. */
  readonly code_id?: string;
  /** The network that has requested it, as a keyed hash. */
  readonly network?: string;
}

/** Returns the content of a message. `token` is that of its link, if its kind has one. */
export function toMailContent(
  { baseUrl, settings }: Pick<ContentSettings, 'baseUrl' | 'settings'>,
  message: {
    readonly mail: Pick<MailRow, 'kind' | 'data' | 'created_at'>;
    readonly kind?: MailKind;
    readonly user: UserRow | null;
    readonly token: string | null;
  },
): MailContent {
  const { mail, kind = mail.kind, user, token } = message;
  const stored = JSON.parse(mail.data) as StoredData;
  const { new_email = null, language = null, redirect_to: redirectTo, return_to, ...values } = stored;
  const locale = user?.locale ?? null;
  const hasRole = user != null && user.role !== null;
  // Administrators begin in the console.
  const returnTo = return_to ?? (hasRole && kind === 'claim_account' ? '/console' : undefined);
  const isLinked = token !== null && isLinkKind(kind);
  return {
    kind,
    service: settings.current.instanceName,
    brandColor: settings.current.brandColor,
    // The earlier address may belong to a person who has never used the account.
    name: kind === 'email_changed' ? null : (user?.name ?? null),
    hasRole,
    at: mail.created_at,
    link: isLinked ? linkUrl(baseUrl, { kind, token, redirectTo, returnTo, lang: locale ?? language }) : null,
    locale,
    zoneinfo: user?.zoneinfo ?? null,
    language,
    newEmail: new_email,
    values,
  };
}

const isLinkKind = (kind: MailKind): kind is LinkKind => (LINK_KINDS as readonly MailKind[]).includes(kind);

function preparedMail(
  settings: ContentSettings,
  { mail, recipient, token }: { mail: MailRow; recipient: Recipient; token: string | null },
): PreparedMail {
  const { linkKind, to, user } = recipient;
  return {
    async compose() {
      const described = toMailContent(settings, { mail, kind: linkKind ?? mail.kind, user, token });
      const { code_id } = described.values as StoredData;
      const code = code_id === undefined ? {} : { code: settings.getMailCode(code_id) };
      const content = { ...described, values: { ...described.values, ...code } };
      const { kind, link } = content;
      return { id: mail.id, kind, to, link, ...(await renderMail(settings.texts, content)) };
    },
    async recordSent(tx, now) {
      // Users see their events: one of a change of the email would tell them that nobody has the address.
      if (linkKind === null || linkKind === 'change_email' || user === null) return;
      const details = { kind: linkKind };
      await recordEvent(tx, { type: 'link.sent', userId: user.id, mayBeErased: true, details, now });
    },
    async withdraw(tx) {
      if (token !== null) await deleteLink(tx, hashToken(token));
    },
  };
}
