/**
 * The format of the command `scrypt` of Tarsnap, which scrypt-kdf and Medusa use for passwords: parameters, salt and
 * checksum, signed with a key that scrypt derives. Stored with its parameters: `$scrypt-kdf$ln=15,r=8,p=1$<Base64>`.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { decodeBase64, type HashKind, incompleteHash } from './hash-kind.ts';
import { checkCost, deriveScrypt } from './scrypt.ts';

const BYTES = { min: 96, max: 96 };
const SIGNED_BYTES = 64;
const SALT = { start: 16, end: 48 };
/** Base64 of `scrypt` and the version 0. */
const MAGIC = 'c2NyeXB0A';
const STORED = /^\$scrypt-kdf\$ln=\d+,r=\d+,p=\d+\$/;

function readCost(header: Buffer) {
  return { ln: header.readUInt8(7), r: header.readUInt32BE(8), p: header.readUInt32BE(12) };
}

export const scryptKdf: HashKind = {
  prefix: STORED,
  toStored(given) {
    const text = given.replace(STORED, '');
    if (!text.startsWith(MAGIC)) return null;
    const header = decodeBase64(text, BYTES, 'hash of scrypt-kdf');
    const { ln, r, p } = readCost(header);
    if (header[6] !== 0 || ln === 0) throw incompleteHash('scrypt-kdf');
    checkCost({ ln, r, p });
    return `$scrypt-kdf$ln=${ln},r=${r},p=${p}$${text}`;
  },
  verify(stored, password) {
    const bytes = Buffer.from(stored.replace(STORED, ''), 'base64');
    const cost = { ...readCost(bytes), bytes: 64 };
    const key = deriveScrypt(password, bytes.subarray(SALT.start, SALT.end), cost).subarray(32);
    const mac = createHmac('sha256', key).update(bytes.subarray(0, SIGNED_BYTES)).digest();
    return timingSafeEqual(mac, bytes.subarray(SIGNED_BYTES));
  },
  toUnmatched(prefix) {
    const [ln = 0, r = 0, p = 0] = (prefix.match(/\d+/g) ?? []).map(Number);
    const bytes = Buffer.alloc(BYTES.max);
    bytes.write('scrypt');
    bytes.writeUInt8(ln, 7);
    bytes.writeUInt32BE(r, 8);
    bytes.writeUInt32BE(p, 12);
    return `${prefix}${bytes.toString('base64')}`;
  },
};
