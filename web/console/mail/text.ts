/** States and failures of messages in words. */
import type { Mail } from '../../common/api-types.ts';

/** Errors of connections, as the service records them. */
const CONNECTION_ERRORS: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'The mail server refused the connection: it is down, or SMTP_URL has the wrong port.'],
  [/EDNS|ENOTFOUND|EAI_AGAIN/, 'The name of the mail server was not found: check SMTP_URL.'],
  [/ETIMEDOUT|ETIMEOUT|timeout/i, 'The mail server did not respond in time.'],
  [/AUTH/, 'The mail server rejected the sign-in: check the user and the password in SMTP_URL.'],
  [/ETLS|CERT|SELF_SIGNED/, 'No encrypted connection to the mail server was possible.'],
  [/ECONNRESET|ECONNECTION|EPIPE|ESOCKET/, 'The connection to the mail server was lost.'],
  [/EENVELOPE/, 'The address cannot be one of a mailbox.'],
  [/cannot be composed/, 'The service could not compose the message: the log has the cause.'],
];

/** Meanings of enhanced status codes (RFC 3463), by the beginning of the code. */
const STATUS_CODES: readonly (readonly [RegExp, string])[] = [
  [/\b5\.1\.\d/, 'The mail server knows no such mailbox.'],
  [/\b[45]\.2\.2/, 'The mailbox is full.'],
  [/\b[45]\.2\.\d/, 'The mailbox does not accept messages.'],
  [/\b4\.7\.\d/, 'The mail server asks to try again later, as many do for a new sender.'],
  [/\b5\.7\.\d/, 'The mail server rejects it by a policy, such as relaying without a sign-in.'],
];

/** By the first digit of the reply (RFC 5321 section 4.2.1). */
const REPLIES: readonly (readonly [RegExp, string])[] = [
  [/(?:^| )421\b/, 'The mail server is closing connections at present.'],
  [/MAIL FROM/, 'The mail server does not accept the sender: check MAIL_FROM.'],
  [/(?:^| )4\d\d\b/, 'The mail server cannot accept the message at present.'],
  [/RCPT TO 5\d\d/, 'The mail server does not accept the recipient.'],
  [/(?:^| )5\d\d\b/, 'The mail server does not accept the message.'],
];

/** Returns why an attempt has failed, as a sentence. */
export function explainError(error: string): string {
  const known = [...CONNECTION_ERRORS, ...STATUS_CODES, ...REPLIES].find(([pattern]) => pattern.test(error));
  return known?.[1] ?? 'The attempt has failed.';
}

const ENDS: Readonly<Record<NonNullable<Mail['reason']>, string>> = {
  rejected: 'The mail server has rejected it for good.',
  expired: 'No attempt succeeded in time, so it was given up.',
  not_needed:
    'It was not needed any more: the link was revoked or replaced, the address already verified, or the user disabled.',
  limit: 'The recipient had got as many messages as the limits allow, so it was not sent.',
};

/** Returns the meaning of the state as a sentence. */
export function explainState({ state, reason, attempts }: Mail): string {
  if (reason !== null) return ENDS[reason];
  switch (state) {
    case 'waiting':
      return attempts === 0 ? 'It waits to be sent.' : 'The last attempt has failed. It is sent again.';
    case 'sending':
      return 'It is being sent now.';
    case 'sent':
      return 'The mail server has accepted it. Whether it has arrived is not known.';
    default:
      return 'An administrator has cancelled it.';
  }
}

/** Whether it makes sense to send it now, or once more. */
export function canRetry({ state }: Mail): boolean {
  return state === 'waiting' || state === 'failed' || state === 'cancelled';
}
