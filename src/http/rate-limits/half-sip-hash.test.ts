import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { halfSipHash } from './half-sip-hash.ts';

describe('halfSipHash', () => {
  it('gives what the reference implementation gives with one and three rounds', () => {
    const answers: [string, number][] = [
      ['', 1189760412770020],
      ['a', 7815792369121884],
      ['198.51.100.7', 3128636451640697],
      ['2001:db8:85a3::/64', 3474676343275859],
      ['é漢😀', 1103769019808824],
    ];
    for (const [text, hash] of answers) assert.equal(halfSipHash(text, 0x03020100, 0x07060504), hash);
  });

  it('gives another hash under another secret', () => {
    assert.notEqual(halfSipHash('198.51.100.7', 1, 2), halfSipHash('198.51.100.7', 1, 3));
    assert.notEqual(halfSipHash('198.51.100.7', 1, 2), halfSipHash('198.51.100.7', 2, 2));
  });

  it('spreads neighbouring addresses evenly over its high bits', () => {
    const counts = new Array<number>(64).fill(0);
    for (let network = 0; network < 64_000; network += 1) {
      const group = Math.floor(halfSipHash(`2001:db8:${network.toString(16)}::/64`, 1, 2) / 2 ** 47);
      counts[group]! += 1;
    }
    assert.ok(Math.min(...counts) > 800 && Math.max(...counts) < 1200, counts.join(' '));
  });
});
