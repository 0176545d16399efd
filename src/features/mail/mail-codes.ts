/** Codes that messages contain. They are derived from an id, so that neither messages nor codes are stored. */
import { createHmac } from 'node:crypto';
import { deriveKey } from '../../lib/secrets/encryption.ts';

export type GetMailCode = (id: string) => string;

/** Letters and digits that nobody confuses. */
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
