/** Classifies failures of attempts to send a message. */
import { HOUR, MINUTE } from '../../../lib/time.ts';

/** Members of nodemailer's errors (https://nodemailer.com/errors). */
interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
  readonly syscall?: string;
  readonly timeoutType?: string;
}

interface DeliveryFailure {
  /** For the log. Contains no address, although replies of servers repeat it. */
  readonly reason: string;
  /** The server will never accept this message for this recipient. */
  readonly isPermanent: boolean;
  /** Other messages would fail as well. */
  readonly concernsServer: boolean;
  /**
   * The message was not delivered. False if the connection was lost at a moment when the server may have accepted it.
   */
  readonly isCertain: boolean;
}

export function describeFailure(error: unknown): DeliveryFailure {
  const smtpError = (error ?? {}) as SmtpError;
  const { code = '', command = '', response = '', responseCode } = smtpError;
  if (responseCode === undefined) {
    // The library rejects an envelope that would not be valid SMTP, with a message that quotes it.
    if (code === 'EENVELOPE')
      return { reason: code, isPermanent: true, concernsServer: false, isCertain: true };
    const reason = error instanceof Error ? error.message : String(error);
    return { reason, isPermanent: false, concernsServer: true, isCertain: isBeforeMessage(smtpError) };
  }
  const [status = ''] = /(?<=^\d{3}[ -])\d\.\d{1,3}\.\d{1,3}/.exec(response) ?? [];
  const reason = [command, responseCode, status].filter(Boolean).join(' ');
  // Other commands concern the session or the sender, as 421 always does (RFC 5321 section 3.8).
  const concernsServer = !['RCPT TO', 'DATA'].includes(command) || responseCode === 421;
  // 5.7: rejected by a policy, such as relaying without login, which the operator can correct (RFC 3463 section 3.8).
  const isFinal = responseCode >= 500 && responseCode !== 503 && !status.startsWith('5.7.');
  return { reason, isPermanent: isFinal && !concernsServer, concernsServer, isCertain: true };
}

/** Whether the failure without a reply is one of connecting or logging in. */
function isBeforeMessage({ code = '', syscall, timeoutType }: SmtpError): boolean {
  if (timeoutType !== undefined) return timeoutType !== 'SOCKET_TIMEOUT';
  return syscall === 'connect' || ['EDNS', 'ETLS', 'EAUTH', 'ENOAUTH', 'ECONFIG'].includes(code);
}

/** System errors name a host, which can be long. */
const MAX_LAST_ERROR = 200;

/**
 * Returns the reason of a failed attempt for its row: the stage and the codes. The text of the server follows only if
 * it is about the session or the sender, such as 501 after EHLO: others may repeat the address of the recipient.
 */
export function toLastError(error: unknown): string {
  const smtpError = (error ?? {}) as SmtpError;
  const { code, command = '', response = '', responseCode, syscall } = smtpError;
  if (responseCode !== undefined) {
    if (['RCPT TO', 'DATA', ''].includes(command)) return describeFailure(error).reason;
    return `${command} ${response.replace(/\s+/g, ' ')}`.slice(0, MAX_LAST_ERROR);
  }
  // The text of a system error is that of Node.
  if (syscall !== undefined && error instanceof Error) return error.message.slice(0, MAX_LAST_ERROR);
  return [command, code].filter(Boolean).join(' ') || 'unknown error';
}

/** Delays differ by up to this share, so that messages which failed together do not return together. */
const JITTER = 0.2;

export const MAX_RETRY_DELAY_MS = HOUR * (1 + JITTER);

/**
 * Returns the milliseconds after which a message is sent again: 1, 2, 4 … minutes, up to an hour, each up to a fifth
 * less or more. `random` is in [0, 1).
 */
export function retryDelay(failedAttempts: number, random: number): number {
  const delay = Math.min(MINUTE * 2 ** (failedAttempts - 1), HOUR);
  return Math.round(delay * (1 - JITTER + 2 * JITTER * random));
}
