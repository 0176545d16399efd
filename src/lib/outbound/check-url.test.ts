import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PUBLIC_URLS, REJECTED_URLS } from '../../../test/support/ssrf-attacks.ts';
import { createAddressPolicy } from './address-policy.ts';
import { checkUrl } from './check-url.ts';

const PUBLIC_ONLY = createAddressPolicy([]);
const isAccepted = (url: string, policy = PUBLIC_ONLY) => 'url' in checkUrl(url, policy);

describe('checkUrl', () => {
  for (const { url, reason } of REJECTED_URLS) {
    test(`checkUrl rejects ${JSON.stringify(url)}, which ${reason}`, () => {
      const checked = checkUrl(url, PUBLIC_ONLY);
      assert.ok('reason' in checked);
      assert.match(checked.reason, /^(?:be|not|lead|have|begin) .*\.$/);
    });
  }

  for (const url of PUBLIC_URLS) {
    test(`checkUrl accepts ${url}`, () => assert.ok(isAccepted(url)));
  }

  test('checkUrl returns the normal form of a URL', () => {
    const checked = checkUrl('HTTPS://Hooks.Example.COM:443/a/../b?c=%20', PUBLIC_ONLY);
    assert.deepEqual(checked, { url: 'https://hooks.example.com/b?c=%20' });
    assert.deepEqual(checkUrl('https://bücher.example', PUBLIC_ONLY), {
      url: 'https://xn--bcher-kva.example/',
    });
  });

  test('checkUrl accepts addresses of allowed networks, by http too, in every form', () => {
    const policy = createAddressPolicy(['127.0.0.0/8', 'fd12::/16']);
    for (const url of ['http://127.0.0.1:3000/', 'https://127.0.0.1/', 'http://2130706433/'])
      assert.ok(isAccepted(url, policy), url);
    for (const url of ['http://[::ffff:127.0.0.1]/', 'http://[fd12::1]/', 'https://8.8.8.8/'])
      assert.ok(isAccepted(url, policy), url);
    for (const url of ['http://10.0.0.1/', 'http://8.8.8.8/', 'http://[fd13::1]/', 'http://[::1]/'])
      assert.ok(!isAccepted(url, policy), url);
    for (const url of ['http://user@127.0.0.1/', 'ftp://127.0.0.1/', 'http://127.0.0.1:22/'])
      assert.ok(!isAccepted(url, policy), url);
  });

  test('checkUrl accepts names that may resolve into allowed networks, by http too', () => {
    const policy = createAddressPolicy(['10.0.0.0/8']);
    for (const url of ['http://example.com/', 'http://intranet/', 'https://db.internal/'])
      assert.ok(isAccepted(url, policy), url);
    // It is always a loopback address (RFC 6761 section 6.3).
    assert.ok(!isAccepted('http://localhost/', policy));
    assert.ok(isAccepted('http://localhost/', createAddressPolicy(['127.0.0.1'])));
    assert.ok(isAccepted('http://app.localhost/', createAddressPolicy(['::1'])));
  });

  test('checkUrl rejects names that can never be resolved, also with allowed networks', () => {
    const longest = ['a'.repeat(63), 'b'.repeat(63), 'c'.repeat(63), 'd'.repeat(61)].join('.');
    const never = [`e${longest}`, `${'a.'.repeat(198)}example`, `${'a'.repeat(64)}.example`, 'a..example'];
    for (const policy of [PUBLIC_ONLY, createAddressPolicy(['10.0.0.0/8'])]) {
      assert.ok(isAccepted(`https://${longest}/`, policy));
      for (const host of never) assert.ok(!isAccepted(`https://${host}/`, policy), host);
    }
  });

  test('checkUrl rejects metadata addresses of clouds, also in allowed networks', () => {
    const networks = [
      '169.254.0.0/16',
      '100.64.0.0/10',
      'fd00::/8',
      '168.63.129.16',
      'fe80::/10',
      '64:ff9b::/32',
    ];
    const policy = createAddressPolicy([...networks, '2002::/16', '::/96']);
    const embedded = ['[fe80::a9fe:a9fe]', '[::ffff:169.254.169.254]', '[64:ff9b::a9fe:a9fe]'];
    for (const host of [...embedded, '[64:ff9b:1::a9fe:a9fe]', '[2002:a9fe:a9fe::1]', '[::a9fe:a9fe]'])
      for (const scheme of ['http', 'https']) assert.ok(!isAccepted(`${scheme}://${host}/`, policy), host);
    assert.ok(!policy.permits('fe80::a9fe:a9fe%eth0', 'http:'));
    assert.ok(!policy.permits('fd00:ec2::254%eth0', 'http:'));
    assert.ok(isAccepted('http://[fe80::1]/', policy));
    for (const host of ['169.254.169.254', '100.100.100.200', '[fd00:ec2::254]', '168.63.129.16'])
      for (const scheme of ['http', 'https']) assert.ok(!isAccepted(`${scheme}://${host}/`, policy), host);
    assert.ok(isAccepted('http://169.254.1.1/', policy));
  });
});
