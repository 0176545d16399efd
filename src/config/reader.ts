/** Single settings of the usual kinds, each checked; the kinds with rules of their own have files beside this one. */
import { resolve } from 'node:path';

/** A setting has a value that cannot be meant; the message is the one line that the operator needs. */
export class ConfigError extends Error {
  constructor(name: string, problem: string) {
    super(`${name} ${problem}`);
    this.name = 'ConfigError';
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A value as a message shows it: in quotation marks and, whatever is in it, on one line. Not for secrets. */
export function quoted(value: string): string {
  return JSON.stringify(value);
}

/** An empty variable counts as unset: that is how compose files and unit files pass "nothing". */
export class Reader {
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  text(name: string): string | null {
    return this.#environment[name]?.trim() || null;
  }

  /** The parts between commas, without empty ones. */
  list(name: string): string[] {
    const parts = (this.text(name) ?? '').split(',').map((part) => part.trim());
    return parts.filter((part) => part !== '');
  }

  /** Of the variables that are set, those whose names begin so. */
  names(prefix: string): string[] {
    const names = Object.keys(this.#environment);
    return names.filter((name) => name.startsWith(prefix) && this.text(name) !== null);
  }

  integer(name: string, fallback: number, least: number, most: number): number {
    const given = this.text(name);
    if (given === null) return fallback;
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new ConfigError(name, `must be a whole number from ${least} to ${most}, not ${quoted(given)}`);
  }

  /** As `integer`, and null for `off`. */
  integerOrOff(name: string, fallback: number, least: number, most: number): number | null {
    return this.text(name) === 'off' ? null : this.integer(name, fallback, least, most);
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
