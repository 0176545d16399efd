/** Reads and checks single settings of common types. Types with rules of their own have files beside this one. */
import { resolve } from 'node:path';
import { InvalidValue, type Rule } from '../settings/rules.ts';
import type { EffectiveSetting } from '../settings/setting-definition.ts';
import { SETTINGS, type SettingName } from '../settings/table.ts';

/** A setting has an invalid value. The message is one line that names the setting and its rule. */
export class ConfigError extends Error {
  readonly setting: string;

  constructor(setting: string, problem: string) {
    super(`${setting} ${problem}`);
    this.name = 'ConfigError';
    this.setting = setting;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

type RuledName = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends { rule: Rule<unknown>; fallback: string }
    ? Name
    : never;
}[SettingName];

/** Reads settings, and keeps what may be shown. Empty variables, as of Compose files, are not set. */
export class Reader {
  readonly #environment: Environment;
  readonly #settings = new Map<string, EffectiveSetting>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The settings that were read by name, without secrets. */
  get settings(): ReadonlyMap<string, EffectiveSetting> {
    return this.#settings;
  }

  text<F extends string | null = null>(name: string, fallback: F = null as F): string | F {
    const value: string | F = this.given(name) ?? fallback;
    this.#keep(name, { value, default: fallback, is_secret: false, is_set: value !== null });
    return value;
  }

  secretText(name: string): string | null {
    const given = this.given(name);
    this.#keep(name, { value: null, default: null, is_secret: true, is_set: given !== null });
    return given;
  }

  secretUrl(name: string): string | null {
    const given = this.given(name);
    const value = given === null ? null : maskUrl(given);
    this.#keep(name, { value, default: null, is_secret: true, is_set: given !== null });
    return given;
  }

  /** Returns the text of the variable; null if it is not set. Is not shown. */
  given(name: string): string | null {
    return this.#environment[name]?.trim() || null;
  }

  #keep(name: string, shown: Omit<EffectiveSetting, 'name' | 'source'>): void {
    const source = this.given(name) === null ? 'default' : 'environment';
    this.#settings.set(name, Object.freeze({ name, source, ...shown }));
  }

  /** Reads values between commas, each by the rule. @throws ConfigError */
  list(name: string, rule: Rule<string>): string[] {
    return splitList(this.text(name) ?? '').map((item) => this.check(name, rule, item));
  }

  /** Reads a value by the rule; null if not set. @throws ConfigError */
  optional<T>(name: string, rule: Rule<T>): T | null {
    const given = this.text(name);
    return given === null ? null : this.check(name, rule, given);
  }

  names(): string[] {
    return Object.keys(this.#environment).filter((name) => this.given(name) !== null);
  }

  /** Reads a value by the rule in the table of settings. @throws ConfigError */
  setting<Name extends RuledName>(name: Name): ReturnType<(typeof SETTINGS)[Name]['rule']> {
    const { rule, fallback } = SETTINGS[name] as { rule: Rule<unknown>; fallback: string };
    return this.check(name, rule, this.text(name, fallback)) as ReturnType<(typeof SETTINGS)[Name]['rule']>;
  }

  check<T>(name: string, rule: Rule<T>, text: string): T {
    try {
      return rule(text);
    } catch (error) {
      throw error instanceof InvalidValue ? new ConfigError(name, error.message) : error;
    }
  }

  path(name: string, fallback: string): string {
    const value = resolve(this.given(name) ?? fallback);
    this.#keep(name, { value, default: resolve(fallback), is_secret: false, is_set: true });
    return value;
  }
}

export function splitList(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

/** 128 bits in hexadecimal digits. */
const MIN_SECRET_LENGTH = 32;

export const SECRET_RULE = `at least ${MIN_SECRET_LENGTH} visible ASCII characters without spaces (openssl rand -hex 32)`;

/** Returns whether the text is long enough and can be sent in a header (RFC 9110 section 5.5). */
export function isSecret(text: string): boolean {
  return text.length >= MIN_SECRET_LENGTH && /^[\x21-\x7e]+$/.test(text);
}

/** Reads one secret, which may contain commas; null if not set. */
export function readSecret(read: Reader, name: string): string | null {
  const given = read.secretText(name);
  return given === null ? null : checked(name, given);
}

/** Reads secrets separated by commas; null if not set. Rejects a value of commas alone. */
export function readSecrets(read: Reader, name: string): string[] | null {
  const text = read.secretText(name);
  if (text === null) return null;
  const given = splitList(text);
  if (given.length === 0) throw new ConfigError(name, `must have ${SECRET_RULE}, not commas alone`);
  return given.map((one) => checked(name, one));
}

function checked(name: string, given: string): string {
  if (isSecret(given)) return given;
  throw new ConfigError(name, `must have ${SECRET_RULE}`);
}

const MASK = '***';
/** All others are masked, because drivers read passwords and keys from parameters as well. */
const SHOWN_PARAMETERS = ['host', 'port', 'user', 'sslmode', 'uselibpqcompat', 'application_name', 'tls'];

/** Returns the URL without its password and fragment, and without parameters that may be secret; null if it is none. */
export function maskUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  // Some mail services use one secret for both.
  if (url.username !== '' && decoded(url.username) === decoded(url.password)) url.username = MASK;
  if (url.password !== '') url.password = MASK;
  url.hash = '';
  for (const name of [...url.searchParams.keys()])
    if (!SHOWN_PARAMETERS.includes(name)) url.searchParams.set(name, MASK);
  return url.href;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
