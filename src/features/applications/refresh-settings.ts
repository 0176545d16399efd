/** Members of an application about programs that stay signed in with refresh tokens. */
import type { JsonSchema } from '../../lib/schema/json-schema.ts';

const days = { type: 'integer', minimum: 1, maximum: 3_650, 'x-filled': true } as const;
const flag = { type: 'boolean', 'x-filled': true } as const;

export const refreshMembers = {
  refresh: {
    ...flag,
    description: 'Whether `offline_access` gets it a refresh token.',
  },
  access_token_minutes: {
    ...{ type: 'integer', minimum: 1, maximum: 1_440, 'x-filled': true },
    description: 'Lifetime of access tokens beside it (60).',
  },
  refresh_idle_days: {
    ...days,
    description: 'Days without use after which a refresh token ends (30).',
  },
  refresh_days: {
    ...days,
    description: 'Days after which it ends in any case (180).',
  },
  refresh_ends_with_session: {
    ...flag,
    description: 'Whether signing out of the browser ends it.',
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** As they are stored: 1 or 0 for a flag. */
export type RefreshSettings = Readonly<Record<keyof typeof refreshMembers, number>>;

export const REFRESH_DEFAULTS: RefreshSettings = {
  refresh: 0,
  access_token_minutes: 60,
  refresh_idle_days: 30,
  refresh_days: 180,
  refresh_ends_with_session: 0,
};
export const REFRESH_COLUMNS = Object.keys(REFRESH_DEFAULTS) as readonly (keyof RefreshSettings)[];

type GivenSettings = { readonly [name in keyof RefreshSettings]?: number | boolean | undefined };

/** Returns the settings after the changes. */
export function applyRefreshChanges(row: RefreshSettings, changes: GivenSettings): RefreshSettings {
  const entries = REFRESH_COLUMNS.map((name) => [name, Number(changes[name] ?? row[name])]);
  return Object.fromEntries(entries);
}

/** Returns the flags as the API shows them. */
export const refreshView = ({ refresh, refresh_ends_with_session }: RefreshSettings) => ({
  refresh: refresh === 1,
  refresh_ends_with_session: refresh_ends_with_session === 1,
});
