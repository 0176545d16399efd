import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Problem } from '../problems/problem.ts';
import { readForwardedIp } from './forwarding.ts';

const read = (headers: Record<string, string>, proxies = 0) => readForwardedIp(headers, proxies);

describe('readForwardedIp', () => {
  const accepted: readonly [text: string, expected: string][] = [
    ['for=192.0.2.7', '192.0.2.7'],
    ['For="192.0.2.7:4711";proto=https;by=203.0.113.1', '192.0.2.7'],
    ['proto=http;for="[2001:DB8:0::7]"', '2001:db8::7'],
    ['for="[2001:db8::7]:4711"', '2001:db8::7'],
    ['for="[::ffff:192.0.2.7]"', '192.0.2.7'],
    ['for=198.51.100.1, for=_hidden, for=192.0.2.7', '192.0.2.7'],
    ['for=198.51.100.1;ext="a, for=198.51.100.2", for=192.0.2.7', '192.0.2.7'],
  ];
  for (const [forwarded, expected] of accepted)
    test(`readForwardedIp reads the address of "Forwarded: ${forwarded}"`, () =>
      assert.equal(read({ forwarded }), expected));

  const forwardedFor: readonly [text: string, proxies: number, expected: string][] = [
    ['192.0.2.7', 0, '192.0.2.7'],
    ['198.51.100.1, junk,192.0.2.7:80', 0, '192.0.2.7'],
    ['198.51.100.1,[2001:db8::7]:80, ,', 0, '2001:db8::7'],
    ['2001:db8::7', 0, '2001:db8::7'],
    ['198.51.100.1, 192.0.2.7, 10.0.0.1, 10.0.0.2', 2, '192.0.2.7'],
  ];
  for (const [text, proxies, expected] of forwardedFor)
    test(`readForwardedIp reads the address of "X-Forwarded-For: ${text}" before ${proxies} of proxies`, () =>
      assert.equal(read({ 'x-forwarded-for': text }, proxies), expected));

  const xff = 'x-forwarded-for';
  const rejected: readonly [Record<string, string>, RegExp, number?][] = [
    [{}, /is required/],
    [{ [xff]: '' }, /is required/],
    [{ [xff]: '10.0.0.1' }, /in TRUST_PROXY must send Forwarded/, 1],
    [{ [xff]: '192.0.2.7', forwarded: 'for=192.0.2.7' }, /cannot be combined/],
    [{ [xff]: '192.0.2.7, unknown' }, /X-Forwarded-For must end with an IP address/],
    [{ [xff]: '192.0.2.7, 0x7f.1' }, /must end with an IP address/],
    [{ [xff]: '192.0.2.256' }, /must end with an IP address/],
    [{ [xff]: '192.0.2.7:http' }, /must end with an IP address/],
    [{ [xff]: 'fe80::1%eth0' }, /must end with an IP address/],
    [{ forwarded: '' }, /Forwarded is malformed/],
    [{ forwarded: 'for=2001:db8::7' }, /Forwarded is malformed/],
    [{ forwarded: 'for="192.0.2.7' }, /Forwarded is malformed/],
    [{ forwarded: 'for=198.51.100.1;x=", for="[2001:db8::7]"' }, /Forwarded is malformed/],
    [{ forwarded: 'for=192.0.2.7, proto=https' }, /Forwarded has no for/],
    [{ forwarded: 'for=192.0.2.7, __proto__=a' }, /Forwarded has no for/],
    [{ forwarded: 'for=192.0.2.7, for=unknown' }, /Forwarded must end with an IP address/],
    [{ forwarded: 'for=_hidden' }, /Forwarded must end with an IP address/],
    [{ forwarded: 'for="192.0.2.7:_port"' }, /Forwarded must end with an IP address/],
  ];
  for (const [headers, message, proxies] of rejected)
    test(`readForwardedIp rejects ${JSON.stringify(headers)} with ${proxies ?? 0} proxies`, () =>
      assert.throws(
        () => read(headers, proxies),
        (error) => error instanceof Problem && error.status === 400 && message.test(error.text),
      ));
});
