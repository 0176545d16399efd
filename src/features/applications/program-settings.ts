/** Members of an application about programs that stay signed in with refresh tokens, and those without a browser. */
import type { JsonSchema } from '../../lib/schema/json-schema.ts';

const days = { type: 'integer', minimum: 1, maximum: 3_650, 'x-filled': true } as const;
export const flag = { type: 'boolean', 'x-filled': true } as const;

export const programMembers = {
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
  device: {
    ...flag,
    description:
      'Whether programs without a browser may sign people in by a code that is confirmed on another device (RFC 8628).',
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** As they are stored: 1 or 0 for a flag. */
export type ProgramSettings = Readonly<Record<keyof typeof programMembers, number>>;

export const PROGRAM_DEFAULTS: ProgramSettings = {
  refresh: 0,
  access_token_minutes: 60,
  refresh_idle_days: 30,
  refresh_days: 180,
  refresh_ends_with_session: 0,
  device: 0,
};
export const PROGRAM_COLUMNS = Object.keys(PROGRAM_DEFAULTS) as readonly (keyof ProgramSettings)[];

type GivenSettings = { readonly [name in keyof ProgramSettings]?: number | boolean | undefined };

/** Returns the settings after the changes. */
export function applyProgramChanges(row: ProgramSettings, changes: GivenSettings): ProgramSettings {
  const entries = PROGRAM_COLUMNS.map((name) => [name, Number(changes[name] ?? row[name])]);
  return Object.fromEntries(entries);
}

/** Returns the flags as the API shows them. */
export const programView = ({ refresh, refresh_ends_with_session, device }: ProgramSettings) => ({
  refresh: refresh === 1,
  refresh_ends_with_session: refresh_ends_with_session === 1,
  device: device === 1,
});
