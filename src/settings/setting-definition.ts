/** Rows of the table of settings, and those of common kinds that can change at run time. */
import { allowOff, choice, integer, type Rule } from './rules.ts';

export const SETTING_GROUPS = [
  'instance',
  'registration',
  'logins',
  'mail',
  'events',
  'limits',
  'network',
  'operation',
] as const;

export interface SettingDefinition<T> {
  readonly group: (typeof SETTING_GROUPS)[number];
  /** Short name, without a full stop. */
  readonly title: string;
  readonly meaning: string;
  /** Markdown that docs/configuration.md adds to the meaning. */
  readonly values?: string;
  /** The section of docs/operations.md that describes it. */
  readonly section?: string;
  readonly rule: Rule<T>;
  /** Text of the value that applies if none is set; null for none. */
  readonly fallback?: string | null;
  /** The default in words, where it is no fixed text. */
  readonly standard?: string;
  /** What is not shown to administrators: all of the value, or the secrets in a URL. */
  readonly secret?: 'all' | 'url';
  /** Only of settings that can change at run time. */
  readonly format?: ValueFormat;
  /** Returns a short form for lists and events, if the text is too long. */
  readonly describe?: (text: string) => string;
}

export const VALUE_KINDS = ['text', 'url', 'image', 'choice', 'switch', 'integer', 'quota'] as const;

interface ValueFormat {
  readonly kind: (typeof VALUE_KINDS)[number];
  /** Texts of a choice; of a switch, the text for on and that for off. */
  readonly choices: readonly string[] | null;
  /** Least value of an integer, or of both numbers of a quota. */
  readonly minimum: number | null;
  readonly maximum: number | null;
  /** Unit of an integer. */
  readonly unit: 'days' | 'records' | null;
  /** Whether `off` is a value too: no limit. */
  readonly can_be_off: boolean;
}

/** Returns a format of which other members do not apply. */
export function format(kind: ValueFormat['kind'], members: Partial<ValueFormat> = {}): ValueFormat {
  return { kind, choices: null, minimum: null, maximum: null, unit: null, can_be_off: false, ...members };
}

export const inDays = <const F extends string>(fallback: F) => {
  const range = { min: 1, max: 3_650 };
  const days = format('integer', { minimum: range.min, maximum: range.max, unit: 'days' });
  return { rule: integer(range), fallback, format: days };
};

export const inRecords = (fallback: string) => {
  const range = { min: 1, max: 1_000_000_000 };
  const bounds = { minimum: range.min, maximum: range.max, unit: 'records', can_be_off: true } as const;
  return { rule: allowOff(integer(range)), fallback, format: format('integer', bounds) };
};

export const oneOf = <const T extends string>(choices: readonly T[], fallback: T) => ({
  rule: choice(choices),
  fallback,
  format: format('choice', { choices }),
});

/** The first text is that for on. */
export const onOrOff = <const T extends string>(choices: readonly [T, T], fallback: T) => ({
  ...oneOf(choices, fallback),
  format: format('switch', { choices }),
});

/** Source of a value: the environment wins over the value that an administrator has stored in the database. */
export const SOURCES = ['environment', 'default', 'database'] as const;

/** A setting as the service has read it, without secrets. */
export interface EffectiveSetting {
  readonly name: string;
  /** Value that applies; null if none does, or if all of it is secret. Passwords in URLs are masked. */
  readonly value: string | null;
  readonly source: (typeof SOURCES)[number];
  /** Value that applies if none is set; null if there is none, or if it is secret. */
  readonly default: string | null;
  /** Whether the value is a secret or contains one, which is not shown. */
  readonly is_secret: boolean;
  /** Whether there is a value, also where it is not shown. */
  readonly is_set: boolean;
}
