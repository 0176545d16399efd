/** Settings of outgoing mail. */
import type { MailSender, SmtpServer } from '../../settings/mail-rules.ts';

export type { MailSender, SmtpServer };

export interface MailSettings {
  readonly smtp: { readonly server: SmtpServer; readonly from: MailSender } | null;
  /** Name of the sender; empty if there is none. */
  readonly senderName: string;
  /** Messages are logged, with their links, instead of sent. */
  readonly toLog: boolean;
}

/** Whether messages leave the queue: over SMTP or to the log. */
export const isDelivered = ({ smtp, toLog }: MailSettings): boolean => smtp !== null || toLog;
