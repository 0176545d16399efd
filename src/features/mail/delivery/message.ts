/** Messages: complete, prepared, sent, and logged with their texts encrypted. */
import type { Tx } from '../../../database/database.ts';
import { createSeal, tryUnseal } from '../../../lib/secrets/encryption.ts';
import type { MailKind, MailRow } from '../queries.ts';

export interface MailMessage {
  /** The id of its row: the same at each attempt. */
  readonly id: string;
  readonly kind: MailKind;
  readonly to: string;
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The link that it contains; null for a notice. */
  readonly link: string | null;
}

/** A message that may be sent, with its link already stored. */
export interface PreparedMail {
  compose(): Promise<MailMessage>;
  /** Records that the link was sent. */
  recordSent(tx: Tx, now: number): Promise<void>;
  /** Revokes the link, because the message was not delivered. */
  withdraw(tx: Tx): Promise<void>;
}

/**
 * Prepares a queued message for sending, in the transaction that leases it afterwards. Returns null when the reason of
 * the message is gone, and `over_limit` when its recipient has reached its limit.
 */
export type PrepareMail = (tx: Tx, mail: MailRow, now: number) => Promise<PreparedMail | 'over_limit' | null>;

/** Sends messages, or logs them. */
export interface MailTransport {
  /** @throws an error that `describeFailure` accepts; also when the signal is aborted */
  send(message: MailMessage, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface MessageContent {
  readonly text: string;
  /** The link in it; null for a notice. */
  readonly link: string | null;
}

export type ContentSeal = ReturnType<typeof createContentSeal>;

/** Creates the encryption by a key that is derived from SECRET_KEY, bound to the id of the message. */
export function createContentSeal(secretKey: string) {
  const seal = createSeal(secretKey, 'mail-contents');
  return {
    seal: ({ id, text, link }: Pick<MailMessage, 'id' | 'text' | 'link'>) =>
      seal.seal(id, Buffer.from(JSON.stringify({ text, link }))),
    /** Returns null when SECRET_KEY or the message is not that of the encryption. */
    unseal(id: string, sealed: Uint8Array): MessageContent | null {
      const content = tryUnseal(seal, id, sealed);
      return content && JSON.parse(Buffer.from(content).toString());
    },
  };
}
