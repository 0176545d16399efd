/** Settings of the rate limits. */
import type { Quota } from '../rate-limits/gcra.ts';
import { LIMIT_DEFINITIONS, LIMIT_NAMES, type LimitName } from '../rate-limits/limits.ts';
import { InvalidValue, quoted, type Rule } from './rules.ts';
import { format, type SettingDefinition } from './setting-definition.ts';

export const LIMIT_PREFIX = 'RATE_LIMIT_';

export function limitVariable(limit: LimitName): string {
  return `${LIMIT_PREFIX}${limit.toUpperCase().replaceAll('-', '_')}`;
}

/** Accepts `quota/seconds`, or `off` as null. */
export function quota(limit: LimitName): Rule<Quota | null> {
  return (text) => {
    if (text === 'off') return null;
    const [, requests, seconds] = /^([1-9]\d{0,8})\/([1-9]\d{0,6})$/.exec(text) ?? [];
    if (requests === undefined)
      throw new InvalidValue(`must be quota/seconds such as 60/60, or off, not ${quoted(text)}`);
    return { name: limit, limit: Number(requests), windowSeconds: Number(seconds) };
  };
}

export const LIMITS: Readonly<Record<`RATE_LIMIT_${string}`, SettingDefinition<Quota | null>>> =
  Object.fromEntries(
    LIMIT_NAMES.map((name) => [
      limitVariable(name),
      {
        group: 'limits',
        title: LIMIT_DEFINITIONS[name][1],
        meaning: LIMIT_DEFINITIONS[name][2],
        section: 'rate-limits',
        rule: quota(name),
        fallback: LIMIT_DEFINITIONS[name][0],
        format: format('quota', { minimum: 1, can_be_off: true }),
      },
    ]),
  );

/** Settings that could hide an attack or let passwords be guessed: their change needs the scope `admin`. */
const OWNER_SETTINGS: ReadonlySet<string> = new Set([
  'RATE_LIMITS',
  'EVENTS_DAYS',
  'EVENTS_ADDRESS',
  ...(['login', 'login-code', 'login-fail', 'login-account', 'admin-fail', 'device-code'] as const).map(
    limitVariable,
  ),
]);

/** Returns the scope that a change of the setting needs. */
export function getScopeOfChange(name: string): 'admin' | 'settings:write' {
  return OWNER_SETTINGS.has(name) ? 'admin' : 'settings:write';
}
