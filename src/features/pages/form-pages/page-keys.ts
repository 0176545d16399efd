/**
 * One-time keys of hosted pages. A key contains the id of the submission, so that a page that is sent twice is stored
 * once, the version that the page shows, and the time when it was sent out.
 */
import { createKeyedHash } from '../../../lib/secrets/encryption.ts';

export interface PageKey {
  readonly id: string;
  readonly version: number;
  /** Epoch milliseconds. */
  readonly sentAt: number;
}

export function createPageKeys(secretKey: string) {
  const hash = createKeyedHash(secretKey, 'form-pages');
  return {
    write(formId: string, { id, version, sentAt }: PageKey): string {
      const content = `${id}.${version}.${sentAt}`;
      return `${content}.${hash(`${formId}.${content}`)}`;
    },
    /** Returns null for a key that this service has not written for the form. */
    read(formId: string, text: string): PageKey | null {
      const [, content, id, version, sentAt, mac] = /^(([\w-]+)\.(\d+)\.(\d+))\.([\w-]+)$/.exec(text) ?? [];
      if (id === undefined || hash(`${formId}.${content}`) !== mac) return null;
      return { id, version: Number(version), sentAt: Number(sentAt) };
    },
  };
}

export type PageKeys = ReturnType<typeof createPageKeys>;
