/** Renders messages from the templates beside this file. */
import { join } from 'node:path';
import type { Eta } from 'eta';
import { DAY, HOUR } from '../../../lib/time/clock.ts';
import type { MailMessage } from '../delivery/message.ts';
import { LINK_LIFETIME_MS } from '../links/links.ts';
import type { LinkKind } from '../links/queries.ts';
import type { MailKind } from '../queries.ts';
import { toGreetingName } from './greeting-name.ts';
import { maskEmail } from './mask-email.ts';

export interface MailContent {
  readonly kind: MailKind;
  /** The name of the service. */
  readonly service: string;
  /** The name of the user. */
  readonly name: string | null;
  /** When the message was queued, in epoch milliseconds. */
  readonly at: number;
  /** The requested or current address, in a notice about a change of the email. Shown masked. */
  readonly newEmail: string | null;
  readonly link: string | null;
  /** In the message about a webhook that was disabled. */
  readonly webhook?: { readonly url?: string; readonly reason?: string };
}

/** Subjects contain nothing that a user has chosen. */
const SUBJECTS: Readonly<Record<MailKind, (service: string) => string>> = {
  verify_email: (service) => `Confirm your email address for ${service}`,
  change_email: (service) => `Confirm your new email address for ${service}`,
  reset_password: (service) => `Reset your password for ${service}`,
  claim_account: (service) => `Set up your account at ${service}`,
  password_changed: (service) => `Your password for ${service} was changed`,
  email_change_requested: (service) => `A new email address was requested for your account at ${service}`,
  email_changed: (service) => `The email address of your account at ${service} was changed`,
  webhook_disabled: (service) => `A webhook of ${service} was disabled`,
  new_network: (service) => `New login to your account at ${service}`,
};

/** Labels of the links. */
const ACTIONS: Readonly<Record<LinkKind, string>> = {
  verify_email: 'Confirm email address',
  change_email: 'Confirm new email address',
  reset_password: 'Choose a new password',
  claim_account: 'Set up account',
};

/** Returns subject and both bodies. */
export async function renderMail(
  content: MailContent,
): Promise<Pick<MailMessage, 'subject' | 'text' | 'html'>> {
  loading ??= loadEngines();
  const { text, html } = await loading;
  const { kind, service, link } = content;
  const subject = SUBJECTS[kind](service);
  const step = link === null ? null : (kind as LinkKind);
  const data = {
    ...content,
    subject,
    name: toGreetingName(content.name),
    newEmail: content.newEmail === null ? null : maskEmail(content.newEmail),
    time: readableTime(content.at),
    action: step === null ? '' : ACTIONS[step],
    validity: step === null ? '' : duration(LINK_LIFETIME_MS[step]),
  };
  return { subject, text: text.render(`${kind}.txt.eta`, data), html: html.render(`${kind}.html.eta`, data) };
}

let loading: ReturnType<typeof loadEngines> | null = null;

/** Loaded for the first message: most starts send none. */
async function loadEngines(): Promise<{ text: Eta; html: Eta }> {
  const { Eta } = await import('eta');
  const options = { views: join(import.meta.dirname, 'templates'), cache: true, autoTrim: false } as const;
  return {
    text: new Eta({ ...options, autoEscape: false }),
    html: new Eta({ ...options, autoEscape: true }),
  };
}

/** Formats a time for people anywhere: `21 Nov 2026, 21:39 UTC`. */
function readableTime(milliseconds: number): string {
  const [, day, month, year, time] = new Date(milliseconds).toUTCString().split(' ');
  return `${Number(day)} ${month} ${year}, ${time?.slice(0, 5)} UTC`;
}

function duration(milliseconds: number): string {
  const [count, unit] =
    milliseconds < DAY ? [Math.round(milliseconds / HOUR), 'hour'] : [Math.round(milliseconds / DAY), 'day'];
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
