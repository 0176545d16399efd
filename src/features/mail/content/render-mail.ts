/** Renders messages in the language of their recipient. */
import { createPalette } from '../../../settings/brand-color.ts';
import type { LanguageTexts, TextKey } from '../../texts/language-file.ts';
import type { Texts } from '../../texts/texts.ts';
import type { MailMessage } from '../delivery/message.ts';
import { LINK_LIFETIME_MS } from '../links/links.ts';
import type { LinkKind } from '../links/queries.ts';
import type { MailKind } from '../queries.ts';

type MailValue = 'url' | 'reason' | 'days' | 'form' | 'provider' | 'application' | 'code';

export interface MailContent {
  readonly kind: MailKind;
  readonly locale: string | null;
  readonly zoneinfo?: string | null;
  /** Language tag of the request, for users without one, or whose language has no texts. */
  readonly language: string | null;
  readonly service: string;
  readonly brandColor: string | null;
  readonly name: string | null;
  /** Whether the user has a role in the administration of the service. */
  readonly hasRole?: boolean;
  /** When the message was queued, in epoch milliseconds. */
  readonly at: number;
  /** The requested or current address, in a notice about a change of the email. Shown masked. */
  readonly newEmail: string | null;
  readonly link: string | null;
  /** Values of some kinds of messages, most of them to the operator. */
  readonly values?: Partial<Readonly<Record<MailValue, string>>>;
}

/** In place of the code, where a message is read later. */
const NO_CODE = '…';

/** Returns the subject of messages of a kind, which contains nothing that a user has chosen. */
export function formatSubject({ text }: LanguageTexts, kind: MailKind, service: string): string {
  return text(`mail.${kind}.subject`, { service, code: NO_CODE });
}

/** Returns subject and both bodies, with their language: that of the recipient, or the fallback. */
export async function renderMail(
  texts: Texts,
  content: MailContent,
): Promise<Pick<MailMessage, 'language' | 'subject' | 'text' | 'html'>> {
  const own = await texts.get(content.locale, content.language);
  const templates = await texts.getMailTemplates();
  const { kind, service, newEmail } = content;
  const values = {
    service,
    time: own.time(content.at, content.zoneinfo),
    email: newEmail === null ? 'none' : maskEmail(newEmail),
    ...{ url: '', reason: '', days: '', form: '', provider: '', application: '' },
    ...content.values,
    code: content.values?.code ?? NO_CODE,
  };
  const text = (part: 'subject' | 'text' | 'advice') =>
    own.text(`mail.${kind}.${part}` satisfies TextKey, values);
  const data = {
    language: own.language,
    direction: own.direction,
    subject: text('subject'),
    greeting: greet(own, content.name),
    paragraphs: [
      kind === 'claim_account' && content.hasRole
        ? own.text('mail.claim_account.invitation', values)
        : text('text'),
      text('advice'),
    ],
    link: content.link === null ? null : describeLink(own, kind as LinkKind, content.link),
    service,
    palette: content.brandColor === null ? null : createPalette(content.brandColor),
    footer: own.text('mail.sent_automatically'),
  };
  const { language, subject } = data;
  return { language, subject, text: templates.text(data), html: templates.html(data) };
}

function greet({ text }: LanguageTexts, name: string | null): string {
  const shown = toGreetingName(name);
  return shown === null ? text('mail.greeting_without_name') : text('mail.greeting', { name: shown });
}

function describeLink({ text, duration }: LanguageTexts, kind: LinkKind, url: string) {
  return {
    url,
    action: text(`mail.${kind}.action`),
    asText: text('mail.link_as_text'),
    validity: text('mail.link_validity', { validity: duration(LINK_LIFETIME_MS[kind] / 1000) }),
  };
}

const MAX_ENDING_LENGTH = 8;

/**
 * Returns an address in which its owner recognises it, without text chosen by a user: local part and domain
 * can be an advertisement, and mail programs turn names of hosts into links. `www.prize@win.example` becomes
 * `w…@w….example`.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const labels = email.slice(at + 1).split('.');
  const masked = labels.map((label, index) => {
    const isEnding = index > 0 && index === labels.length - 1;
    const isShown = label.length === 1 || (isEnding && label.length <= MAX_ENDING_LENGTH);
    return isShown ? label : shorten(label);
  });
  return `${shorten(email.slice(0, at))}@${masked.join('.')}`;
}

const shorten = (text: string): string => `${String.fromCodePoint(text.codePointAt(0) ?? 0)}…`;

const MAX_LENGTH = 60;
/** Letters, digits and the punctuation of names. A dot only before a space or at the end, as in `J. R. Smith Jr.`. */
const PLAIN_NAME = /^(?:[\p{L}\p{M}\p{N}'’,& -]|\.(?= |$))+$/u;

/**
 * Returns the name for the greeting, or null for a text that is more than a name. Anyone can register with the address
 * of another person, and a "name" with a link or a sentence would be sent to them as if the service had written it.
 */
export function toGreetingName(name: string | null): string | null {
  const trimmed = name?.trim() ?? '';
  return trimmed.length <= MAX_LENGTH && PLAIN_NAME.test(trimmed) ? trimmed : null;
}
