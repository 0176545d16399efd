/** Reads and checks single settings of common types. Types with rules of their own have files beside this one. */
import { resolve } from 'node:path';

/** A setting has an invalid value. The message is one line that names the setting and what it must be. */
export class ConfigError extends Error {
  constructor(name: string, problem: string) {
    super(`${name} ${problem}`);
    this.name = 'ConfigError';
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

/** Reads settings from the environment. An empty variable counts as not set, because Compose files pass it that way. */
export class Reader {
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  text(name: string): string | null {
    return this.#environment[name]?.trim() || null;
  }

  /** Returns the parts between commas, without empty ones. */
  list(name: string): string[] {
    const parts = (this.text(name) ?? '').split(',').map((part) => part.trim());
    return parts.filter((part) => part !== '');
  }

  /** Returns the names of the variables that begin with `prefix` and are set. */
  names(prefix: string): string[] {
    const names = Object.keys(this.#environment);
    return names.filter((name) => name.startsWith(prefix) && this.text(name) !== null);
  }

  integer(name: string, { fallback, min, max }: IntegerRange): number {
    const given = this.text(name);
    if (given === null) return fallback;
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new ConfigError(name, `must be a whole number from ${min} to ${max}, not ${quoted(given)}`);
  }

  /** Reads an integer, or null for `off`. */
  integerOrOff(name: string, range: IntegerRange): number | null {
    return this.text(name) === 'off' ? null : this.integer(name, range);
  }

  choice<const T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const given = this.text(name) ?? fallback;
    const choice = choices.find((candidate) => candidate === given);
    if (choice !== undefined) return choice;
    throw new ConfigError(name, `must be one of ${choices.join(', ')}, not ${quoted(given)}`);
  }

  path(name: string, fallback: string): string {
    return resolve(this.text(name) ?? fallback);
  }
}
