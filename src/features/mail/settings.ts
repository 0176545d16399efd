/** Settings of outgoing mail, and the codes in messages. */
import { createHmac } from 'node:crypto';
import { deriveKey } from '../../lib/secrets/encryption.ts';
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
export function isDelivered({ smtp, toLog }: MailSettings): boolean {
  return smtp !== null || toLog;
}

export type GetMailCode = (id: string) => string;

/** Letters and digits that nobody confuses. Codes are derived from an id, so that neither messages nor codes are stored. */
const DIGITS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 8;

/** Returns the function that returns the code of an id: 40 bits, in two groups. */
export function createMailCodes(secretKey: string): GetMailCode {
  const key = deriveKey(secretKey, 'mail-codes');
  return (id) => {
    const bytes = createHmac('sha256', key).update(id).digest().subarray(0, LENGTH);
    const code = Array.from(bytes, (byte) => DIGITS[byte % DIGITS.length]).join('');
    return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
  };
}
