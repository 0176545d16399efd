/** The Base64 of crypt(3): groups of three bytes, the lowest bits first, in an alphabet of its own. */

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns the value of a character; -1 if it is not one of the alphabet. */
export function getCryptValue(character: string): number {
  return ALPHABET.indexOf(character);
}

export function encodeCryptBase64(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const group = bytes.subarray(index, index + 3);
    const value = group[0]! | ((group[1] ?? 0) << 8) | ((group[2] ?? 0) << 16);
    for (let position = 0; position <= group.length; position++)
      text += ALPHABET[(value >> (6 * position)) & 63];
  }
  return text;
}
