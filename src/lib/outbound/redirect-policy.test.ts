import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createRedirectPolicy } from './redirect-policy.ts';

const prefixes = [
  'https://app.example.com',
  'https://shop.example.com/welcome/',
  'http://127.0.0.1:5173',
].map((url) => new URL(url));
const allow = createRedirectPolicy(() => prefixes);

describe('URLs that pages may lead to', () => {
  for (const [given, normal = given] of [
    ['https://app.example.com/'],
    ['https://app.example.com', 'https://app.example.com/'],
    ['HTTPS://APP.example.com:443/a?b=c', 'https://app.example.com/a?b=c'],
    ['https://app.example.com/?next=https://evil.example/'],
    ['https://app.example.com/a@b'],
    ['https://shop.example.com/welcome'],
    ['https://shop.example.com/welcome/back?x=%2F'],
    ['https://shop.example.com/welcome/.well-known/v1.2;a=b/100%25'],
    ['https://app.example.com/..;/'],
    ['https://shop.example.com/x/../welcome/', 'https://shop.example.com/welcome/'],
    ['http://127.0.0.1:5173/callback'],
  ] as [string, string?][]) {
    test(`the URL ${given} is allowed, in its normal form`, () => {
      assert.equal(allow(given), normal);
    });
  }

  for (const given of [
    ...['', '/', '//app.example.com', 'app.example.com', 'https:app.example.com', 'https:/app.example.com'],
    ...['https:///app.example.com', 'https:\\\\app.example.com', 'https://app.example.com\\@evil.example'],
    ...['javascript:alert(1)', 'data:text/html,x', 'com.example.app://callback', 'ftp://app.example.com/'],
    ...['http://app.example.com/', 'https://app.example.com:8443/', 'https://app.example.com.evil.example/'],
    ...['https://evil.example/', 'https://evil.example/https://app.example.com', 'https://xapp.example.com/'],
    ...['https://user@app.example.com/', 'https://user:secret@app.example.com/', 'https://@app.example.com/'],
    ...['https://app.example.com@evil.example/', 'https://app.example.com#@evil.example/'],
    ...[
      'https://app.example.com/#token',
      'https://app.example.com/#',
      'https://app.example.com/\n',
      ' https://app.example.com/',
    ],
    ...[
      'https://app.example.com/\tx',
      'https://app.exämple.com/',
      'https://app.example.com/ä',
      'https://app.example.com./',
    ],
    ...[
      'https://shop.example.com/',
      'https://shop.example.com/welcomes',
      'https://shop.example.com/welcome/../admin',
    ],
    ...['https://shop.example.com/welcome/%2e%2e/admin', 'https://shop.example.com/welcome/..%2fadmin'],
    ...['https://shop.example.com/welcome/..;/admin', 'https://shop.example.com/welcome/..;x=1/admin'],
    ...['https://shop.example.com/welcome/%2e%2e;/admin', 'https://shop.example.com/welcome/.%2e;/admin'],
    ...['https://shop.example.com/welcome/%252e%252e/admin', 'https://shop.example.com/welcome/..%252fadmin'],
    ...['https://shop.example.com/welcome/..%3b/admin', 'https://shop.example.com/welcome/..%00/admin'],
    ...['https://shop.example.com/welcome\\..\\admin', 'https://shop.example.com/welcome/.;/admin'],
    ...['https://shop.example.com/welcome/..%5Cadmin', 'http://127.0.0.1/', 'http://127.0.0.1:5174/'],
    ...['http://localhost:5173/', `https://app.example.com/${'x'.repeat(2_048)}`],
  ]) {
    test(`the URL ${JSON.stringify(given.slice(0, 80))} is not allowed`, () => {
      assert.equal(allow(given), null);
    });
  }

  test('no URL is allowed without an application', () => {
    assert.equal(createRedirectPolicy(() => [])('https://app.example.com/'), null);
  });
});
