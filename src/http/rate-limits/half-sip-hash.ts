/**
 * HalfSipHash-1-3 (Aumasson and Bernstein), the keyed hash for tables whose keys come from strangers: without
 * the secret nobody can tell which texts fall together. Written out here because node:crypto has none that is
 * cheap enough for every request: its SHA-256 of an address costs several times as much.
 */

/** The UTF-16LE bytes of `text` under a secret of two 32-bit words, as a whole number of 53 bits. */
export function halfSipHash(text: string, secretLow: number, secretHigh: number): number {
  let a = secretLow | 0;
  let b = secretHigh ^ 0xee;
  let c = secretLow ^ 0x6c796765;
  let d = secretHigh ^ 0x74656462;
  let firstHalf = 0;
  const words = (text.length >>> 1) + 1;
  for (let step = 0; step < words + 6; step += 1) {
    const word = step < words ? wordAt(text, step * 2) : 0;
    if (step === words) c ^= 0xee;
    if (step === words + 3) {
      firstHalf = b ^ d;
      b ^= 0xdd;
    }
    d ^= word;
    a = (a + b) | 0;
    b = rotate(b, 5) ^ a;
    c = (c + d) | 0;
    d = rotate(d, 8) ^ c;
    a = (rotate(a, 16) + d) | 0;
    d = rotate(d, 7) ^ a;
    c = (c + b) | 0;
    b = rotate(b, 13) ^ c;
    c = rotate(c, 16);
    a ^= word;
  }
  return (firstHalf >>> 0) * 2 ** 21 + ((b ^ d) >>> 11);
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** Two characters from `position`; past the whole pairs, the odd character if any and the length in bytes. */
function wordAt(text: string, position: number): number {
  if (position + 1 < text.length) return text.charCodeAt(position) | (text.charCodeAt(position + 1) << 16);
  const last = position < text.length ? text.charCodeAt(position) : 0;
  return last | (text.length << 25);
}
