/** Definitions of the settings that can change while the service runs. */
import { STORED_ADDRESSES, type StoredAddress } from '../lib/network.ts';
import type { Quota } from '../rate-limits/gcra.ts';
import { DEFAULT_LIMITS, LIMIT_NAMES, type LimitName, type Limits } from '../rate-limits/limits.ts';
import { describeLogo, type Logo, parseLogo } from './logo.ts';
import { choice, displayName, InvalidValue, integer, orOff, pageUrl, quoted, type Rule } from './rules.ts';
import { format, type ValueFormat } from './value-format.ts';

/** The values that apply: a snapshot, which is replaced as a whole when one of them changes. */
export interface CurrentSettings {
  /** How pages and messages call the service. */
  readonly instanceName: string;
  readonly logo: Logo | null;
  /** URL of the application whose accounts these are; null if not set. */
  readonly appUrl: string | null;
  readonly registration: 'open' | 'closed';
  readonly usersCreate: 'open' | 'admin';
  /** Maximum number of unclaimed records of anonymous callers; null: no limit. */
  readonly maxUnclaimedUsers: number | null;
  /** Age at which housekeeping deletes them. */
  readonly unclaimedUsersDays: number;
  /** Age at which events are deleted. */
  readonly eventsDays: number;
  /** How precisely events keep the address of a client. */
  readonly eventsAddress: StoredAddress;
  readonly tokenLifetimeSeconds: number;
  /** Logins to accounts whose email is not verified are rejected. */
  readonly requireVerifiedEmail: boolean;
  /** The same object as long as no limit changes. */
  readonly limits: Limits;
}

/** Read at each use, so that a change takes effect. */
export interface CurrentSettingsSource {
  readonly current: CurrentSettings;
}

interface Definition<T> {
  readonly rule: Rule<T>;
  /** Text of the value that applies if none is set; null for none. */
  readonly fallback: string | null;
  readonly format: ValueFormat;
  /** Returns what lists and events show, if the text is too long for them. */
  readonly describe?: (text: string) => string;
}

const DAYS = { min: 1, max: 3_650 };
const days = integer(DAYS);
const RECORDS = { min: 1, max: 1_000_000_000 };

/** Name of the product, which an instance has until the operator names it. */
export const PRODUCT_NAME = 'Frontdesk';

const setOfChoices = <const T extends string>(choices: readonly T[], fallback: T) => ({
  rule: choice(choices),
  fallback,
  format: format('choice', { choices }),
});

/** The first text is that for on. */
const onOrOff = <const T extends string>(choices: readonly [T, T], fallback: T) => ({
  rule: choice(choices),
  fallback,
  format: format('switch', { choices }),
});

const numberOfDays = (fallback: string) => ({
  rule: days,
  fallback,
  format: format('integer', { minimum: DAYS.min, maximum: DAYS.max, unit: 'days' }),
});

const SINGLE = {
  INSTANCE_NAME: { rule: displayName, fallback: PRODUCT_NAME, format: format('text') },
  INSTANCE_LOGO: { rule: parseLogo, fallback: null, describe: describeLogo, format: format('image') },
  APP_URL: { rule: pageUrl, fallback: null, format: format('url') },
  RATE_LIMITS: onOrOff(['on', 'off'], 'on'),
  REGISTRATION: setOfChoices(['open', 'closed'], 'open'),
  USERS_CREATE: setOfChoices(['open', 'admin'], 'open'),
  MAX_UNCLAIMED_USERS: {
    rule: orOff(integer(RECORDS)),
    fallback: '100000',
    format: format('integer', {
      minimum: RECORDS.min,
      maximum: RECORDS.max,
      unit: 'records',
      can_be_off: true,
    }),
  },
  UNCLAIMED_USERS_DAYS: numberOfDays('7'),
  EVENTS_DAYS: numberOfDays('180'),
  EVENTS_ADDRESS: setOfChoices(STORED_ADDRESSES, 'prefix'),
  TOKEN_LIFETIME_DAYS: numberOfDays('30'),
  REQUIRE_VERIFIED_EMAIL: onOrOff(['true', 'false'], 'false'),
} as const satisfies Record<string, Definition<unknown>>;

type SingleName = keyof typeof SINGLE;

const LIMIT_PREFIX = 'RATE_LIMIT_';

/** Returns the name of the setting of a limit. */
export function limitVariable(limit: LimitName): string {
  return `${LIMIT_PREFIX}${limit.toUpperCase().replaceAll('-', '_')}`;
}

/** Accepts `quota/seconds`, or `off` as null. */
function quota(limit: LimitName): Rule<Quota | null> {
  return (text) => {
    if (text === 'off') return null;
    const [, requests, seconds] = /^([1-9]\d{0,8})\/([1-9]\d{0,6})$/.exec(text) ?? [];
    if (requests === undefined)
      throw new InvalidValue(`must be quota/seconds such as 60/60, or off, not ${quoted(text)}`);
    return { name: limit, limit: Number(requests), windowSeconds: Number(seconds) };
  };
}

const QUOTA = format('quota', { minimum: 1, can_be_off: true });

const limitDefinitions = LIMIT_NAMES.map((limit): [string, Definition<Quota | null>] => [
  limitVariable(limit),
  { rule: quota(limit), fallback: DEFAULT_LIMITS[limit], format: QUOTA },
]);

/** All settings that can change while the service runs, by name. */
export const RUN_TIME_SETTINGS: ReadonlyMap<string, Definition<unknown>> = new Map<
  string,
  Definition<unknown>
>([...Object.entries(SINGLE), ...limitDefinitions]);

/** Texts of values by name. */
export type SettingTexts = ReadonlyMap<string, string>;

/**
 * Returns the name of the first variable that begins like a limit and is none: a misspelled one would leave a default
 * in force unnoticed.
 */
export function findUnknownLimit(names: readonly string[]): string | undefined {
  return names.find((name) => name.startsWith(LIMIT_PREFIX) && !RUN_TIME_SETTINGS.has(name));
}

/** Returns the text as lists and events show it. */
export function describeValue(name: string, text: string): string {
  return RUN_TIME_SETTINGS.get(name)?.describe?.(text) ?? text;
}

/** Returns the values of texts that fulfil the rules. `previous` is the snapshot that this one replaces. */
export function createCurrentSettings(texts: SettingTexts, previous?: CurrentSettings): CurrentSettings {
  const text = (name: SingleName) => texts.get(name) ?? SINGLE[name].fallback!;
  const optional = <T>(name: 'INSTANCE_LOGO' | 'APP_URL', rule: Rule<T>): T | null => {
    const given = texts.get(name);
    return given === undefined ? null : rule(given);
  };
  const { rule: maxUnclaimedUsers } = SINGLE.MAX_UNCLAIMED_USERS;
  return Object.freeze({
    instanceName: text('INSTANCE_NAME'),
    logo: optional('INSTANCE_LOGO', parseLogo),
    appUrl: optional('APP_URL', pageUrl),
    registration: SINGLE.REGISTRATION.rule(text('REGISTRATION')),
    usersCreate: SINGLE.USERS_CREATE.rule(text('USERS_CREATE')),
    maxUnclaimedUsers: maxUnclaimedUsers(text('MAX_UNCLAIMED_USERS')),
    unclaimedUsersDays: days(text('UNCLAIMED_USERS_DAYS')),
    eventsDays: days(text('EVENTS_DAYS')),
    eventsAddress: SINGLE.EVENTS_ADDRESS.rule(text('EVENTS_ADDRESS')),
    tokenLifetimeSeconds: days(text('TOKEN_LIFETIME_DAYS')) * 86_400,
    requireVerifiedEmail: text('REQUIRE_VERIFIED_EMAIL') === 'true',
    limits: createLimits(texts, previous?.limits),
  });
}

/** Returns `previous` if no limit differs from it: what is derived from a limit is kept then. */
function createLimits(texts: SettingTexts, previous: Limits | undefined): Limits {
  const allOff = texts.get('RATE_LIMITS') === 'off';
  const entries = LIMIT_NAMES.map((name) => {
    const limit = quota(name)(texts.get(limitVariable(name)) ?? DEFAULT_LIMITS[name]);
    return [name, allOff ? null : keepEqual(limit, previous?.[name])] as const;
  });
  if (previous !== undefined && entries.every(([name, limit]) => previous[name] === limit)) return previous;
  return Object.freeze(Object.fromEntries(entries) as Record<LimitName, Quota | null>);
}

function keepEqual(quota: Quota | null, previous: Quota | null | undefined): Quota | null {
  const isEqual = quota?.limit === previous?.limit && quota?.windowSeconds === previous?.windowSeconds;
  return isEqual && previous !== undefined ? previous : quota;
}
