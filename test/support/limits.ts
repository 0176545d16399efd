/** Services with rate limits, and clients from different networks. */
import assert from 'node:assert/strict';
import { DAY } from '../../src/lib/time.ts';
import type { ApiRequest } from './api.ts';
import type { TestServiceOptions } from './service.ts';

/**
 * Options with rate limits on and X-Forwarded-For trusted, so that every test can be its own client. Limits restore
 * nothing while a test runs, however long it takes: their clock has stopped, or is that of the options.
 */
export function limited(
  environment: Readonly<Record<string, string>> = {},
  options: TestServiceOptions = {},
): TestServiceOptions {
  const { clock, monotonicClock = clock ?? manualClock(0), ...others } = options;
  return {
    stopsServerClock: true,
    ...others,
    ...(clock === undefined ? {} : { clock }),
    monotonicClock,
    environment: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1', ...environment },
  };
}

/** A request as a proxy forwards it for a client with this address. */
export function fromIp(clientIp: string, request: ApiRequest = {}): ApiRequest {
  return { ...request, headers: { ...request.headers, 'x-forwarded-for': clientIp } };
}

let clients = 0;

/** Returns an IPv4 address that no other test of this file uses. */
export function newClientIp(): string {
  clients++;
  return `198.18.${clients >> 8}.${clients & 255}`;
}

export const LIMIT_FIELDS = [
  'ratelimit-policy',
  'ratelimit',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
] as const;

/** Returns the limit headers in the order of LIMIT_FIELDS, null for a missing one. */
export function limitFields(headers: Headers): (string | null)[] {
  return LIMIT_FIELDS.map((name) => headers.get(name));
}

export function assertNoLimitFields(headers: Headers): void {
  const present = LIMIT_FIELDS.filter((name) => headers.has(name));
  assert.deepEqual(present, []);
}

/** A clock in milliseconds that only the test moves. */
export function manualClock(now = Date.UTC(2026, 0, 1)) {
  const clock = () => clock.now;
  clock.now = now;
  return clock;
}

/** Returns a clock that runs from noon (UTC) of today: no test passes midnight. */
export function noonClock(): () => number {
  const shift = DAY / 2 - (Date.now() % DAY);
  return () => Date.now() + shift;
}
