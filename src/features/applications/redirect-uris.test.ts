import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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

/** What an attacker registers nowhere, but sends for https://app.example.com/callback: all are parsed somehow by something. */
const HOSTS = [
  'app.example.com.evil.com',
  'evil.com/app.example.com',
  'evil.com?app.example.com',
  'evil.com#app.example.com',
  'evil.com\\app.example.com',
  'evil.com%2fapp.example.com',
  'evil.com%5capp.example.com',
  'evil.com%00app.example.com',
  'evil.com\tapp.example.com',
  'evil.com\napp.example.com',
  'evil.com%0d%0aapp.example.com',
  'evil.com,app.example.com',
  'evil.com;app.example.com',
  'app.example.com@evil.com',
  'app.example.com:443@evil.com',
  'app.example.com%40evil.com',
  'user:password@app.example.com',
  '@app.example.com',
  'app.example.com:',
  'app.example.com:443',
  'app.example.com:0443',
  'app.example.com:8443',
  'app.example.com.',
  'APP.EXAMPLE.COM',
  'app.example.com\u3002evil.com',
  'app.example\u3002com',
  '\u24d0pp.example.com',
  'app.ex\u0430mple.com',
  'app.example.com\u0000',
  ' app.example.com',
  'app.example.com ',
  'app%2eexample.com',
  '*.example.com',
  'app.*.com',
  'sub.app.example.com',
  'xapp.example.com',
  'example.com',
  'app.example.co',
  'app.example.comm',
  '0x7f.1',
  '2130706433',
  '127.1',
  '0177.0.0.1',
  '[::ffff:127.0.0.1]',
  '[::1%25eth0]',
  'localhost.evil.com',
  '127.0.0.1.evil.com',
];
const PATHS = [
  '/callback/',
  '/callback//',
  '//callback',
  '/Callback',
  '/callback?',
  '/callback?x=1',
  '/callback#',
  '/callback#fragment',
  '/callback/../callback',
  '/callback/..',
  '/./callback',
  '/../callback',
  '/..//evil.com',
  '/%2e%2e/callback',
  '/.%2e/callback',
  '/callback%2f..',
  '/callback%00',
  '/callback%0a',
  '/callback%20',
  '/callback ',
  '/callback\t',
  '/callback\n',
  '/call\nback',
  '/callback\\',
  '\\callback',
  '/\\evil.com',
  '/callback;evil',
  '/callback/evil',
  '/callbackevil',
  '/callbac',
  '/c%61llback',
  '/callback*',
  '/callback[]',
  '/*',
  '/',
  '',
  '/callback&x=1',
  '/callback?redirect=https://evil.com',
  '/callback\u2028',
  '/c\u0430llback',
  '/callback\ud800',
];
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
  const registered = JSON.stringify(['https://app.example.com/callback']);
  const hostile = [
    ...HOSTS.map((host) => `https://${host}/callback`),
    ...PATHS.map((path) => `https://app.example.com${path}`),
    ...WHOLE,
  ];

  test('there are 200 hostile redirect URIs at least', () =>
    assert.ok(new Set(hostile).size >= 200, String(hostile.length)));

  for (const uri of hostile)
    test(`a registered redirect URI is not matched by ${JSON.stringify(uri).slice(0, 80)}`, () =>
      assert.ok(!isRegistered(registered, uri, 'web') && !isRegistered(registered, uri, 'public')));

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
