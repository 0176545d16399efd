import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseFormBody } from './form-bodies.ts';

const parse = parseFormBody;

describe('parseFormBody', () => {
  const valid: [body: string, members: Record<string, string>][] = [
    ['password=a+b%20c', { password: 'a b c' }],
    ['password=%C3%A9%F0%9F%94%91', { password: 'é🔑' }],
    ['password=é', { password: 'é' }],
    ['password=a=b', { password: 'a=b' }],
    ['password=a%26b%3Dc%2Bd%25', { password: 'a&b=c+d%' }],
    ['password', { password: '' }],
    ['&&password=a&', { password: 'a' }],
    ['', {}],
  ];
  for (const [body, members] of valid) {
    test(`parseFormBody reads ${JSON.stringify(body)}`, () => assert.deepEqual(parse(body), members));
  }

  const invalid: [title: string, body: Buffer | string][] = [
    ['bytes that are not UTF-8', Buffer.from([0x61, 0x3d, 0xff])],
    ['an escape that is not UTF-8', 'password=%FF'],
    ['an escaped surrogate', 'password=%ED%A0%80'],
    ['an incomplete escape', 'password=100%'],
    ['an escape that is not hexadecimal', 'password=%zz'],
    ['a member that occurs twice', 'password=a&password=b'],
    ['a member that occurs twice in different spelling', 'password=a&p%61ssword=b'],
    ['more than 1,000 members', Array.from({ length: 1_001 }, (_, index) => `m${index}=1`).join('&')],
  ];
  for (const [title, body] of invalid) {
    test(`parseFormBody rejects ${title} without a reason that quotes the body`, () => {
      assert.throws(
        () => parseFormBody(String(body)),
        (error: { code?: string; cause?: string }) =>
          error.code === 'invalid_payload' && !/password=|100%|%zz/.test(String(error.cause)),
      );
    });
  }

  test('parseFormBody accepts 1,000 members', () => {
    const body = Array.from({ length: 1_000 }, (_, index) => `m${index}=1`).join('&');
    assert.equal(Object.keys(parse(body)).length, 1_000);
  });

  test('parseFormBody changes no prototype by a member name', () => {
    const members = parse('__proto__=x&constructor=y&toString=z');
    assert.deepEqual(Object.keys(members), ['__proto__', 'constructor', 'toString']);
    assert.equal(Object.getPrototypeOf(members), Object.prototype);
  });

  test('parseFormBody parses the output of URLSearchParams', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(fc.dictionary(text, text), (members) => {
        // Nothing at all, and a member without a name and a value, are written alike.
        fc.pre(!Object.keys(members).includes(''));
        const written = new URLSearchParams(members).toString();
        assert.deepEqual({ ...parse(written) }, { ...members });
      }),
    );
  });
});
