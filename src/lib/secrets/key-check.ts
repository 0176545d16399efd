/** The value by which a database recognizes SECRET_KEY. */
import { deriveKey } from './secret-key.ts';

/** The setting of the database that has the value. */
export const KEY_CHECK_SETTING = 'secret_key_check';

/** Derives the value, which identifies the key; the key cannot be computed from it. */
export function createKeyCheck(secretKey: string): string {
  return Buffer.from(deriveKey(secretKey, 'check')).toString('hex');
}
