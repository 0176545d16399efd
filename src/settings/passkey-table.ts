/** Settings of passkeys, and their rules. */
import { InvalidValue, itemRule, list, quoted } from './rules.ts';
import { onOrOff, type SettingDefinition } from './setting-definition.ts';

/** Browsers read the related origins of five registrable domains (WebAuthn Level 3, section 5.11). */
const MAX_RELATED_ORIGINS = 5;

const secureOrigins = list(
  itemRule(
    (item) => URL.canParse(item) && new URL(item).origin === item && item.startsWith('https:'),
    'origins such as https://app.example.com',
  ),
);

/** Origins of pages on which passkeys of this service can be used besides its own. */
function passkeyOrigins(text: string): string[] {
  const found = secureOrigins(text);
  if (found.length <= MAX_RELATED_ORIGINS) return found;
  throw new InvalidValue(`must list at most ${MAX_RELATED_ORIGINS} origins`);
}

const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** A domain in lower case, no IP address. */
function domain(text: string): string {
  if (DOMAIN.test(text)) return text;
  throw new InvalidValue(`must be a domain in lower case such as example.com, not ${quoted(text)}`);
}

export const PASSKEY_SETTINGS = {
  RP_ID: {
    group: 'network',
    title: 'Domain of passkeys',
    meaning: 'Domain to which passkeys belong. Those of another one cannot be used any more.',
    values: 'The host of `PUBLIC_URL`, or a domain above it; with `PUBLIC_URL` only.',
    section: 'passkeys',
    standard: 'host of `PUBLIC_URL`',
    rule: domain,
  },
  PASSKEY_ORIGINS: {
    group: 'network',
    title: 'Other origins with passkeys',
    meaning: 'Pages elsewhere that may use the passkeys of this service.',
    values: 'At most five, separated by commas; with `PUBLIC_URL` only.',
    section: 'passkeys',
    rule: passkeyOrigins,
  },
  PASSKEY_SIGN_IN: {
    group: 'registration',
    title: 'Sign-in with a passkey',
    meaning:
      'Whether people can add passkeys and sign in with them, on the pages of this service and by the API.',
    values: '`on` or `off` ([more](accounts.md#passkeys)); without `PUBLIC_URL`, at `http://localhost` only.',
    ...onOrOff(['on', 'off'], 'on'),
  },
} as const satisfies Record<string, SettingDefinition<unknown>>;
