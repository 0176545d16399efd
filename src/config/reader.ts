/** Reads and checks single settings of common types. Types with rules of their own have files beside this one. */
import { resolve } from 'node:path';
import { InvalidValue, type Rule } from '../settings/rules.ts';
import type { EffectiveSetting } from '../settings/setting-definition.ts';
import { SETTINGS, type SettingName } from '../settings/table.ts';
import { maskUrl } from './mask-url.ts';

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
