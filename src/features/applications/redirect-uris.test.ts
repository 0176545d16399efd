import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { addParameters, isRedirectUri, isRegistered, listOrigins, toPolicySource } from './redirect-uris.ts';

const VALID_FOR_BOTH = [
  'https://app.example.com/callback',
  'https://app.example.com',
  'https://app.example.com/',
  'https://app.example.com/callback?tenant=1',
  'https://app.example.com:8443/callback',
  'https://192.0.2.1/callback',
  'https://[2001:db8::1]/callback',
  'http://localhost/callback',
  'http://localhost:3000/callback',
  'http://127.0.0.1/callback',
  'http://127.0.0.1:3000/callback',
  'http://[::1]:3000/callback',
];
const VALID_FOR_PUBLIC = [
  'com.example.app:/callback',
  'com.example.app://callback',
  'com.example-2.app:/a/b?c=d',
];

const REGISTERED = 'https://app.example.com/callback';
/** Texts that parsers read as the registered URI, or as one at another host or path; at any place of it. */
const PIECES = [
  ...Array.from('/\\?#&*.:@;, \t\n\u0000[]xX\u3002\u2028\u0430'),
  ...['//', '/..', ':443', '@evil.com', 'evil.com/', '%00', '%0d%0a', '%2e', '%2f', '%5c', '\ud800'],
];
const place = fc.nat(REGISTERED.length);
const disguised = fc.oneof(
  fc
    .tuple(place, fc.nat(3), fc.constantFrom(...PIECES))
    .map(([at, removed, piece]) => REGISTERED.slice(0, at) + piece + REGISTERED.slice(at + removed)),
  place.map((at) => REGISTERED.slice(0, at)),
  place.map((at) => REGISTERED.slice(0, at).toUpperCase() + REGISTERED.slice(at)),
);
/** Other URIs: all are parsed somehow by something. */
const WHOLE = [
  '',
  ' ',
  '/',
  '//',
  '//app.example.com/callback',
  '///app.example.com/callback',
  '\\\\app.example.com\\callback',
  '/\\app.example.com/callback',
  '/callback',
  'callback',
  '?x',
  '#x',
  'app.example.com/callback',
  'https:app.example.com/callback',
  'https:/app.example.com/callback',
  'https:///app.example.com/callback',
  'https:\\\\app.example.com\\callback',
  'https:\\/app.example.com/callback',
  'https://\\app.example.com/callback',
  'HTTPS://app.example.com/callback',
  'hTTps://app.example.com/callback',
  ' https://app.example.com/callback',
  'https://app.example.com/callback ',
  '\thttps://app.example.com/callback',
  'ht\ttps://app.example.com/callback',
  'https\t://app.example.com/callback',
  'https://app.example.com\\@evil.com/callback',
  'https://app.example.com#@evil.com/callback',
  'https://app.example.com?@evil.com/callback',
  'https://app.example.com/callback,https://evil.com',
  'https://app.example.com/callback https://evil.com',
  'https://app.example.com/callback%23',
  'http://app.example.com/callback',
  'http://evil.com/callback',
  'http://192.168.0.1/callback',
  'http://10.0.0.1/callback',
  'http://0.0.0.0/callback',
  'http://[::]/callback',
  'http://127.0.0.2/callback',
  'http://127.1/callback',
  'http://2130706433/callback',
  'http://0x7f000001/callback',
  'http://localhost.evil.com/callback',
  'http://localhost@evil.com/callback',
  'http://localhost:3000@evil.com/callback',
  'http://127.0.0.1@evil.com/callback',
  'http://127.0.0.1:80/callback',
  'http://127.0.0.1:99999/callback',
  'http://127.0.0.1:-1/callback',
  'http://127.0.0.1:3000#@evil.com/callback',
  'http://127.0.0.1.nip.io/callback',
  'http://[::1]@evil.com/callback',
  'http://[::1',
  'ftp://app.example.com/callback',
  'ws://app.example.com/callback',
  'wss://app.example.com/callback',
  'file:///etc/passwd',
  'file://app.example.com/callback',
  'javascript:alert(1)',
  'javascript://app.example.com/%0aalert(1)',
  'JavaScript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD4=',
  'vbscript:msgbox(1)',
  'blob:https://app.example.com/uuid',
  'filesystem:https://app.example.com/temporary/x',
  'about:blank',
  'about:srcdoc',
  'view-source:https://app.example.com/callback',
  'mailto:a@example.com',
  'tel:1',
  'intent://app.example.com#Intent;end',
  'myapp://callback',
  'myapp:/callback',
  'urn:ietf:wg:oauth:2.0:oob',
  'urn:ietf:wg:oauth:2.0:oob:auto',
  'com.example.app:callback',
  'com.example.app:',
  'com.example.app',
  'Com.Example.App:/callback',
  'com.example.app:/callback#x',
  'com.example.app:/call back',
  'com.example.app:/\\evil',
  'com.example.app:/a/../b',
  'com.example.app://user@host/',
  'com..app:/callback',
  '.com.app:/callback',
  'com.example.app:/*',
  'com.example.app:/\u0430',
  'https://',
  'https://:443/',
  'https://?',
  'https://#',
  'https://@/',
  'https://[/',
  'https://a b/',
  'https://<script>/',
  'https://app.example.com/<script>',
  'https://app.example.com/"onload="x',
  'https://app.example.com/{a}',
  'https://app.example.com/^',
  'https://app.example.com/`',
  'https://app.example.com/|',
  `https://app.example.com/${'a'.repeat(2_100)}`,
  'https://app.example.com/callback|',
  'https://app.example.com/callback%',
  'https://app.example.com/callback%zz',
  'https://app.example.com./callback',
  'https://app.example.com:8444/callback',
  'https://app-example.com/callback',
  'https://xn--pp-example-com/callback',
  'http+https://app.example.com/callback',
  'null',
  'undefined',
  '[object Object]',
  '__proto__',
];

describe('redirect URIs', () => {
  const registered = JSON.stringify([REGISTERED]);
  const match = (uri: string) => [
    isRegistered(registered, uri, 'web'),
    isRegistered(registered, uri, 'public'),
  ];

  for (const uri of WHOLE)
    test(`a registered redirect URI is not matched by ${JSON.stringify(uri).slice(0, 80)}`, () =>
      assert.deepEqual(match(uri), [false, false]));

  test('a registered redirect URI is matched by itself only, not by what a parser reads as the same', () => {
    assert.deepEqual(match(REGISTERED), [true, true]);
    const isMatched = (uri: string) => match(uri).includes(true) === (uri === REGISTERED);
    fc.assert(fc.property(disguised, isMatched), { numRuns: 5_000 });
  });

  for (const uri of VALID_FOR_BOTH)
    test(`an application may have the redirect URI ${uri}`, () =>
      assert.deepEqual([isRedirectUri(uri, 'web'), isRedirectUri(uri, 'public')], [true, true]));
  for (const uri of VALID_FOR_PUBLIC)
    test(`a public application may have the redirect URI ${uri}, and a web application not`, () =>
      assert.deepEqual([isRedirectUri(uri, 'web'), isRedirectUri(uri, 'public')], [false, true]));

  // Those of the table that are URIs of other applications.
  const others = /^https:\/\/[\w.-]+(?::844\d)?(?:\/[\w/;,&=%?:.-]*)?$/;
  for (const uri of WHOLE.filter((text) => !others.test(text)))
    test(`no application may have the redirect URI ${JSON.stringify(uri).slice(0, 80)}`, () =>
      assert.deepEqual([isRedirectUri(uri, 'web'), isRedirectUri(uri, 'public')], [false, false]));

  test('only the port of loopback literals may vary', () => {
    const loopback = JSON.stringify([
      'http://127.0.0.1/callback',
      'http://[::1]:9000/callback?a=b',
      'http://localhost:3000/',
    ]);
    const accepted = [
      'http://127.0.0.1:51004/callback',
      'http://[::1]:1/callback?a=b',
      'http://localhost:3000/',
    ];
    for (const uri of accepted) assert.ok(isRegistered(loopback, uri, 'web'), uri);
    for (const uri of [
      'http://127.0.0.1:51004/callback/',
      'http://127.0.0.1:51004',
      'http://127.0.0.1:0051004/callback',
      'http://127.0.0.1:80/callback',
      'http://127.0.0.1:3000@evil.com/callback',
      'http://[::1]:1/callback',
      'http://localhost:3001/',
      'http://localhost/',
      'https://127.0.0.1:51004/callback',
    ])
      assert.ok(!isRegistered(loopback, uri, 'web'), uri);
  });

  test('for a public application, the port of localhost may vary as well', () => {
    const localhost = JSON.stringify(['http://localhost:3000/callback']);
    for (const port of ['', ':3000', ':51004'])
      assert.ok(isRegistered(localhost, `http://localhost${port}/callback`, 'public'), port);
    for (const uri of [
      'http://localhost:51004/callback/',
      'https://localhost:51004/callback',
      'http://localhost.evil.com/callback',
      'http://localhost:51004@evil.com/callback',
      'http://127.0.0.1:3000/callback',
    ])
      assert.ok(!isRegistered(localhost, uri, 'public'), uri);
  });

  test('a policy names the origin of a redirect URI, or its scheme', () => {
    assert.equal(toPolicySource('https://app.example.com:8443/callback?a'), 'https://app.example.com:8443');
    assert.equal(toPolicySource('com.example.app:/callback'), 'com.example.app:');
    const uris = JSON.stringify(['https://a.example/x', 'com.example.app:/x']);
    assert.deepEqual(listOrigins(uris), ['https://a.example']);
  });

  test('parameters are added to the query that a redirect URI has', () => {
    assert.equal(
      addParameters('https://a.example', { code: 'a b', state: undefined }),
      'https://a.example?code=a+b',
    );
    assert.equal(addParameters('https://a.example/?b=c', { state: '&' }), 'https://a.example/?b=c&state=%26');
    assert.equal(addParameters('https://a.example/', {}), 'https://a.example/');
  });
});
