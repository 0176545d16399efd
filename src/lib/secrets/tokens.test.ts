import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/arbitrary-text.ts';
import { isId, newId } from './ids.ts';
import { getFirstCharacters, hashToken, isToken, newToken } from './tokens.ts';

const getTime = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

function assertOrdered(ids: readonly string[]): void {
  assert.ok(ids.every((id, index) => index === 0 || id > ids[index - 1]!));
}

describe('ids', () => {
  test('ids are UUIDs of version 7 and variant 10 that begin with the current time', () => {
    const before = Date.now();
    const id = newId();
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.ok(getTime(id) >= before && getTime(id) <= Date.now());
    assert.equal(isId(id), true);
  });

  test('ids are ordered by call, also within one millisecond', () => {
    const ids = Array.from({ length: 10_000 }, newId);
    assert.ok(new Set(ids.map(getTime)).size < ids.length, 'some are of the same millisecond');
    assertOrdered(ids);
  });

  test('ids stay ordered when the clock is set back', (context) => {
    const first = newId();
    context.mock.timers.enable({ apis: ['Date'], now: Date.now() - 3_600_000 });
    assertOrdered([first, newId(), newId()]);
  });

  test('ids are recognised only in lower case and without text around them', () => {
    const id = newId();
    const wrong = ['', id.toUpperCase(), `${id}\n`, ` ${id}`, id.replaceAll('-', ''), `{${id}}`, id.slice(1)];
    for (const text of [...wrong, `urn:uuid:${id}`, `${id.slice(0, -1)}g`, `${id}\u0000`]) {
      assert.equal(isId(text), false, JSON.stringify(text));
    }
  });

  test('ids are recognised if and only if they are UUIDs', () => {
    fc.assert(fc.property(fc.uuid(), (uuid) => isId(uuid)));
    fc.assert(fc.property(anyText(), (text) => !isId(text)));
  });
});

const EXAMPLE = 'fd_pat_1fQQ2DRJLfVhL9r6DXQObt3j2yHn4y2hyBXfmUwMFkS3uTzIp';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The checksum by another algorithm: bit by bit (CRC-32 of ISO 3309, as in gzip), one division per digit. */
function computeChecksum(text: string): string {
  let crc = 0xffffffffn;
  for (const byte of Buffer.from(text)) {
    crc ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ 0xedb88320n : crc >> 1n;
  }
  crc ^= 0xffffffffn;
  return [5n, 4n, 3n, 2n, 1n, 0n].map((place) => DIGITS[Number((crc / 62n ** place) % 62n)]).join('');
}

const position = fc.nat({ max: EXAMPLE.length - 1 });

describe('access tokens', () => {
  test('access tokens consist of a prefix, 43 random characters and their checksum, all allowed in a token68', () => {
    for (let round = 0; round < 50; round++) {
      const token = newToken();
      assert.match(token, /^fd_pat_[0-9A-Za-z]{49}$/);
      assert.equal(token.slice(-6), computeChecksum(token.slice(0, -6)));
      assert.equal(isToken(token), true);
    }
  });

  test('access tokens differ from each other in every position of the secret', () => {
    const tokens = Array.from({ length: 300 }, newToken);
    assert.equal(new Set(tokens).size, 300);
    for (let place = 7; place < 50; place++) {
      assert.ok(new Set(tokens.map((token) => token[place])).size > 1, `position ${place} is constant`);
    }
  });

  test('access tokens with one changed character are always detected', () => {
    const printable = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(position, printable, (place, character) => {
        fc.pre(EXAMPLE[place] !== character);
        assert.equal(isToken(EXAMPLE.slice(0, place) + character + EXAMPLE.slice(place + 1)), false);
      }),
    );
  });

  test('access tokens have a fixed length and prefix and nothing around them', () => {
    const other = `ab_pat_${EXAMPLE.slice(7, -6)}`;
    const wrong = [
      '',
      EXAMPLE.slice(1),
      EXAMPLE.slice(0, -1),
      `${EXAMPLE}\n`,
      ` ${EXAMPLE}`,
      EXAMPLE + EXAMPLE,
    ];
    for (const text of [...wrong, other + computeChecksum(other), EXAMPLE.toUpperCase()]) {
      assert.equal(isToken(text), false, JSON.stringify(text));
    }
    assert.equal(isToken(EXAMPLE), true);
  });

  test('access tokens are recognised in arbitrary text without an exception', () => {
    fc.assert(fc.property(anyText({ maxLength: 80 }), (text) => !isToken(text)));
  });

  test('access tokens are recognised by people by the prefix and 5 of the 43 random characters', () => {
    assert.equal(getFirstCharacters(EXAMPLE), 'fd_pat_1fQQ2');
  });

  test('access tokens are stored as SHA-256 in hex', () => {
    assert.equal(hashToken('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    const token = newToken();
    assert.equal(hashToken(token), createHash('sha256').update(token).digest('hex'));
  });
});
