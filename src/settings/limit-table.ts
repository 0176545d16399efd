/** Settings of the rate limits. */
import type { Quota } from '../rate-limits/gcra.ts';
import { DEFAULT_LIMITS, LIMIT_NAMES, type LimitName } from '../rate-limits/limits.ts';
import { InvalidValue, quoted, type Rule } from './rules.ts';
import { format, type SettingDefinition } from './setting-definition.ts';

export const LIMIT_PREFIX = 'RATE_LIMIT_';

export function limitVariable(limit: LimitName): string {
  return `${LIMIT_PREFIX}${limit.toUpperCase().replaceAll('-', '_')}`;
}

const MEANINGS: Readonly<Record<LimitName, string>> = {
  anon: 'Requests without a valid credential, per network.',
  user: 'Requests with a token, per user.',
  create: 'User records that others than the administrator create, per network.',
  'create-hour': 'The same, over an hour.',
  'create-day': 'The same, over a day.',
  register: 'Registrations, per network.',
  'register-hour': 'The same, over an hour.',
  login: 'Logins and other requests that check a password, per network.',
  'login-fail': 'Failed logins of one account from one network.',
  'login-account': 'Failed logins of one account from anywhere.',
  'admin-fail': 'Wrong administrator credentials, per network.',
  documents: 'Documents and pages of links, per network.',
  'password-reset': 'Links to set a password, requested or used, per network.',
  'email-verification': 'Links to verify an email, per network.',
  'token-create': 'Tokens that are created or rotated, per user.',
  write: 'Requests with a token that may change something, per network.',
  verify: 'Requests to verify tokens, per credential.',
  'credential-write': 'Requests with a named credential that may change something, per credential.',
  'credential-read': 'Other requests with a named credential, per credential.',
  submission: 'Submissions to forms, per network.',
};

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
        meaning: MEANINGS[name],
        section: 'rate-limits',
        rule: quota(name),
        fallback: DEFAULT_LIMITS[name],
        format: format('quota', { minimum: 1, can_be_off: true }),
      },
    ]),
  );
