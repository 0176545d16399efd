/** Encryption of the texts of messages that are logged instead of sent. */
import { createSeal, tryUnseal } from '../../../lib/secrets/encryption.ts';
import type { MailMessage } from '../delivery/message.ts';

/** Content of a message. */
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
