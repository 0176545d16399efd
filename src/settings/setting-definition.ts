/** What the table of settings says of each. */
import type { Rule } from './rules.ts';
import type { ValueFormat } from './value-format.ts';

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

/** A row of the table of settings. */
export interface SettingDefinition<T> {
  readonly group: (typeof SETTING_GROUPS)[number];
  /** One line. */
  readonly meaning: string;
  /** Markdown that docs/configuration.md adds to the meaning. */
  readonly values?: string;
  /** The section of docs/operations.md that describes it. */
  readonly section?: string;
  /** Without one, src/config/ reads the setting. */
  readonly rule?: Rule<T>;
  /** Text of the value that applies if none is set; null for none. */
  readonly fallback?: string | null;
  /** The default in words, where it is no fixed text. */
  readonly standard?: string;
  /** Only of settings that can change at run time. */
  readonly format?: ValueFormat;
  /** Returns what lists and events show, if the text is too long for them. */
  readonly describe?: (text: string) => string;
}
