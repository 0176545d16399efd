/** Reads and checks single settings of common types. Types with rules of their own have files beside this one. */
import { resolve } from 'node:path';
import type { EffectiveSetting } from '../features/operation/configuration/effective-setting.ts';
import { maskUrl } from './mask-url.ts';

/** A setting has an invalid value. The message is one line that names the setting and what it must be. */
export class ConfigError extends Error {
  /** Name of the variable. */
  readonly setting: string;

  constructor(setting: string, problem: string) {
    super(`${setting} ${problem}`);
    this.name = 'ConfigError';
    this.setting = setting;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Quotes a value for a message, on one line whatever characters it contains. Not for secrets. */
export function quoted(value: string): string {
  return JSON.stringify(value);
}

export interface IntegerRange {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}

/**
 * Reads settings from the environment, and keeps what may be shown of them. An empty variable counts as not set,
 * because Compose files pass it that way.
 */
export class Reader {
  readonly #environment: Environment;
  readonly #settings = new Map<string, EffectiveSetting>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The settings that were read, in the order of reading, without secrets. */
  get settings(): readonly EffectiveSetting[] {
    return [...this.#settings.values()];
  }

  /** Reads a text that is shown to the administrator. */
  text<F extends string | null = null>(name: string, fallback: F = null as F): string | F {
    const value: string | F = this.#given(name) ?? fallback;
    this.#keep(name, { value, is_secret: false, is_set: value !== null });
    return value;
  }

  /** Reads a secret text, which is never shown. */
  secretText(name: string): string | null {
    const given = this.#given(name);
    this.#keep(name, { value: null, is_secret: true, is_set: given !== null });
    return given;
  }

  /** Reads a URL that may contain a password. */
  secretUrl(name: string): string | null {
    const given = this.#given(name);
    const value = given === null ? null : maskUrl(given);
    this.#keep(name, { value, is_secret: true, is_set: given !== null });
    return given;
  }

  #given(name: string): string | null {
    return this.#environment[name]?.trim() || null;
  }

  #keep(name: string, shown: Pick<EffectiveSetting, 'value' | 'is_secret' | 'is_set'>): void {
    const source = this.#given(name) === null ? 'default' : 'environment';
    this.#settings.set(name, Object.freeze({ name, source, ...shown }));
  }

  /** Returns the parts between commas, without empty ones. */
  list(name: string): string[] {
    return splitList(this.text(name) ?? '');
  }

  /** Returns the names of the variables that begin with `prefix` and are set. */
  names(prefix: string): string[] {
    const names = Object.keys(this.#environment);
    return names.filter((name) => name.startsWith(prefix) && this.#given(name) !== null);
  }

  integer(name: string, { fallback, min, max }: IntegerRange): number {
    const given = this.text(name, String(fallback));
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new ConfigError(name, `must be a whole number from ${min} to ${max}, not ${quoted(given)}`);
  }

  /** Reads an integer, or null for `off`. */
  integerOrOff(name: string, range: IntegerRange): number | null {
    return this.text(name, String(range.fallback)) === 'off' ? null : this.integer(name, range);
  }

  choice<const T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const given = this.text(name, fallback);
    const choice = choices.find((candidate) => candidate === given);
    if (choice !== undefined) return choice;
    throw new ConfigError(name, `must be one of ${choices.join(', ')}, not ${quoted(given)}`);
  }

  path(name: string, fallback: string): string {
    const value = resolve(this.#given(name) ?? fallback);
    this.#keep(name, { value, is_secret: false, is_set: true });
    return value;
  }
}

/** Returns the parts between commas, without empty ones. */
export function splitList(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}
