/** The settings that can change while the service runs, and their values. */
import type { Quota } from '../rate-limits/gcra.ts';
import { LIMIT_DEFINITIONS, LIMIT_NAMES, type LimitName, type Limits } from '../rate-limits/limits.ts';
import { LIMIT_PREFIX, limitVariable, quota } from './limit-table.ts';
import type { SettingDefinition } from './setting-definition.ts';
import { DEFINITIONS, parseSetting, type SettingName } from './table.ts';

/** The values that apply: a snapshot, which is replaced as a whole when one of them changes. */
export type CurrentSettings = ReturnType<typeof createCurrentSettings>;

/** Read at each use, so that a change takes effect. */
export interface CurrentSettingsSource {
  readonly current: CurrentSettings;
}

type RunTimeDefinition = Required<Pick<SettingDefinition<unknown>, 'rule' | 'format'>> &
  SettingDefinition<unknown> & { readonly fallback: string | null };

/** All settings that can change while the service runs, by name. */
export const RUN_TIME_SETTINGS: ReadonlyMap<string, RunTimeDefinition> = new Map(
  Array.from(DEFINITIONS).filter(
    (entry): entry is [string, RunTimeDefinition] => entry[1].format !== undefined,
  ),
);

export type SettingTexts = ReadonlyMap<string, string>;

/** Returns the first misspelled name of a limit. */
export function findUnknownLimit(names: readonly string[]): string | undefined {
  return names.find((name) => name.startsWith(LIMIT_PREFIX) && !RUN_TIME_SETTINGS.has(name));
}

/** Returns the text as lists and events show it. */
export function describeValue(name: string, text: string): string {
  return RUN_TIME_SETTINGS.get(name)?.describe?.(text) ?? text;
}

/** Returns the values of texts that fulfil the rules. `previous` is the snapshot that this one replaces. */
export function createCurrentSettings(
  texts: SettingTexts,
  previous?: { readonly limits: Limits; readonly ownTexts: SettingTexts },
) {
  const get = <Name extends SettingName>(name: Name) => parseSetting(name, texts.get(name) ?? null);
  return Object.freeze({
    instanceName: get('INSTANCE_NAME'),
    logo: get('INSTANCE_LOGO'),
    /** `#rrggbb`; null for that of the product. */
    brandColor: get('BRAND_COLOR'),
    /** Texts of the administrator by language, as JSON. The same object as long as none changes. */
    ownTexts: getOwnTexts(texts, previous?.ownTexts),
    /** Language tag for people of whom none is known. */
    defaultLocale: get('DEFAULT_LOCALE'),
    /** URL of the application whose accounts these are. */
    appUrl: get('APP_URL'),
    registration: get('REGISTRATION'),
    /** Whether the pages of sign-in and account are served. */
    hostedPages: get('HOSTED_PAGES') === 'on',
    /** Whether these pages accept passwords. */
    passwordSignIn: get('PASSWORD_SIGN_IN') === 'on',
    /** Whether people can sign in with a code from the mail, on the pages and by the API. */
    emailCodeSignIn: get('EMAIL_CODE_SIGN_IN') === 'on',
    passkeySignIn: get('PASSKEY_SIGN_IN') === 'on',
    usersCreate: get('USERS_CREATE'),
    /** Maximum number of unclaimed records of anonymous callers; null: no limit. */
    maxUnclaimedUsers: get('MAX_UNCLAIMED_USERS'),
    unclaimedUsersDays: get('UNCLAIMED_USERS_DAYS'),
    eventsDays: get('EVENTS_DAYS'),
    eventsAddress: get('EVENTS_ADDRESS'),
    tokenLifetimeSeconds: get('TOKEN_LIFETIME_DAYS') * 86_400,
    requireVerifiedEmail: get('REQUIRE_VERIFIED_EMAIL') === 'true',
    /** The same object as long as no limit changes. */
    limits: createLimits(texts, previous?.limits),
  });
}

const OWN_TEXTS_PREFIX = 'texts.';

/** Returns the name under which the texts of a language are stored beside the settings. */
export const ownTextsName = (language: string) => OWN_TEXTS_PREFIX + language;
export const isOwnTextsName = (name: string) => name.startsWith(OWN_TEXTS_PREFIX);

function getOwnTexts(texts: SettingTexts, previous: SettingTexts = new Map()): SettingTexts {
  const own = Array.from(texts).filter(([name]) => isOwnTextsName(name));
  const isKept = own.length === previous.size && own.every(([name, text]) => previous.get(name) === text);
  return isKept ? previous : new Map(own);
}

/** Returns `previous` if no limit differs from it, so that derived values are kept. */
function createLimits(texts: SettingTexts, previous: Limits | undefined): Limits {
  const allOff = texts.get('RATE_LIMITS') === 'off';
  const entries = LIMIT_NAMES.map((name) => {
    const limit = quota(name)(texts.get(limitVariable(name)) ?? LIMIT_DEFINITIONS[name][0]);
    return [name, allOff ? null : keepEqual(limit, previous?.[name])] as const;
  });
  if (previous !== undefined && entries.every(([name, limit]) => previous[name] === limit)) return previous;
  return Object.freeze(Object.fromEntries(entries) as Record<LimitName, Quota | null>);
}

function keepEqual(limit: Quota | null, previous: Quota | null | undefined): Quota | null {
  const isEqual = limit?.limit === previous?.limit && limit?.windowSeconds === previous?.windowSeconds;
  return isEqual && previous !== undefined ? previous : limit;
}
