/** The settings RATE_LIMITS and RATE_LIMIT_<NAME>. */
import type { Quota } from '../rate-limits/gcra.ts';
import { DEFAULT_LIMITS, LIMIT_NAMES, type LimitName, type Limits } from '../rate-limits/limits.ts';
import { ConfigError, quoted, type Reader } from './reader.ts';

const PREFIX = 'RATE_LIMIT_';

/** Reads all limits. Rejects unknown names, because a misspelled one would leave a default in force unnoticed. */
export function rateLimits(read: Reader): Limits {
  const known = LIMIT_NAMES.map(limitVariable);
  const unknown = read.names(PREFIX).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new ConfigError(unknown, `is not a setting; the rate limits are ${known.join(', ')}`);
  const allOff = read.choice('RATE_LIMITS', ['on', 'off'], 'on') === 'off';
  const entries = LIMIT_NAMES.map((name) => {
    const limit = quota(read, name);
    return [name, allOff ? null : limit];
  });
  return Object.freeze(Object.fromEntries(entries));
}

/** Returns the name of the setting of a limit. */
export function limitVariable(limit: LimitName): string {
  return `${PREFIX}${limit.toUpperCase().replaceAll('-', '_')}`;
}

/** Reads `quota/seconds`, or null for `off`. */
function quota(read: Reader, limit: LimitName): Quota | null {
  const name = limitVariable(limit);
  const given = read.text(name, DEFAULT_LIMITS[limit]);
  if (given === 'off') return null;
  const [, requests, seconds] = /^([1-9]\d{0,8})\/([1-9]\d{0,6})$/.exec(given) ?? [];
  if (requests === undefined)
    throw new ConfigError(name, `must be quota/seconds such as 60/60, or off, not ${quoted(given)}`);
  return { name: limit, limit: Number(requests), windowSeconds: Number(seconds) };
}
