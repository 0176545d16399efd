/** The table of all settings, in the order in which they are listed. `npm run docs` writes it to docs/configuration.md. */
import { ACCOUNT_SETTINGS } from './account-table.ts';
import type { Rule } from './rules.ts';
import { SERVICE_SETTINGS } from './service-table.ts';
import type { SettingDefinition } from './setting-definition.ts';

export const SETTINGS = { ...SERVICE_SETTINGS, ...ACCOUNT_SETTINGS };

export type SettingName = keyof typeof SETTINGS;

/** Value of a setting; null without a text and a fallback. */
export type SettingValue<Name extends SettingName> = (typeof SETTINGS)[Name] extends {
  readonly rule: Rule<infer T>;
  readonly fallback: string;
}
  ? T
  : ReturnType<(typeof SETTINGS)[Name]['rule']> | null;

/** Returns the value of a text or, for null, that of the fallback. @throws InvalidValue */
export function parseSetting<Name extends SettingName>(name: Name, text: string | null): SettingValue<Name> {
  const { rule, fallback = null } = SETTINGS[name] as SettingDefinition<unknown>;
  const applied = text ?? fallback;
  return (applied === null ? null : rule(applied)) as SettingValue<Name>;
}

/** The table by name. */
export const DEFINITIONS: ReadonlyMap<string, SettingDefinition<unknown>> = new Map(Object.entries(SETTINGS));
