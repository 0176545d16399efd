/** The table of all settings, in the order in which they are listed. `npm run docs` writes it to docs/configuration.md. */
import { ACCOUNT_SETTINGS } from './account-table.ts';
import { SERVICE_SETTINGS } from './service-table.ts';
import type { SettingDefinition } from './setting-definition.ts';

export const SETTINGS = { ...SERVICE_SETTINGS, ...ACCOUNT_SETTINGS };

export type SettingName = keyof typeof SETTINGS;

/** The table by name. */
export const DEFINITIONS: ReadonlyMap<string, SettingDefinition<unknown>> = new Map(Object.entries(SETTINGS));
