/** The choices of a merge, and its rules: pure functions. */
import { closedSchema, type SchemaValue } from '../../lib/schema/json-schema.ts';
import { Problem } from '../../problems/problem.ts';
import { text } from './records/member-schemas.ts';
import { METADATA_MEMBERS, parseMetadata, patchMetadata } from './records/metadata.ts';
import type { UserRow } from './records/queries.ts';

const TAKEN = [
  'identities',
  'submissions',
  'groups',
  'sessions',
  'name',
  'email',
  'locale',
  'zoneinfo',
  'level',
] as const;

export const mergeSchema = closedSchema(['from'], {
  from: { ...text, description: 'Id of the user who is erased.' },
  take: {
    type: 'array',
    uniqueItems: true,
    items: { type: 'string', enum: TAKEN },
    default: ['identities', 'submissions'],
    description:
      'What the user takes over; everything else of the other one is erased. `groups` needs the scope `groups:write` as well. `sessions` are tokens and sign-in sessions, which a user with a role or a second factor cannot take over. A name, email (with its verification), locale, time zone or level replaces that of the user, if the other one has any.',
  },
  metadata: {
    type: 'string',
    enum: ['keep', 'take', 'combine'],
    default: 'keep',
    description:
      'Which `user_metadata` and `app_metadata` the user has afterwards: their own, those of the other one, or both, where their own members win.',
  },
});

export type MergeChoices = Omit<SchemaValue<typeof mergeSchema>, 'from'>;

/** What a state lets its user do, the least first. */
const RANKS = ['unclaimed', 'disabled', 'active'] as const;

/** @throws Problem user_state_conflict if somebody would lose access by the merge, or gain more than they had */
export function rejectUnlessMergeable(target: UserRow, from: UserRow, takesSessions: boolean): void {
  const reject = (text: string) => {
    throw new Problem('user_state_conflict', { text });
  };
  if (RANKS.indexOf(target.state) < RANKS.indexOf(from.state))
    reject(
      `The account that stays is ${target.state}, the other one is ${from.state}: merge them the other way round`,
    );
  // The sessions began without its second factor.
  if (takesSessions && (target.role !== null || target.totp_enabled_at !== null))
    reject('An account with a role or a second factor cannot take over sessions');
}

/**
 * Returns the record of the user who stays. Members that the other record lacks are not taken over.
 * @throws Problem validation_failed when the combined metadata is too large
 */
export function mergeRecords(
  target: UserRow,
  from: UserRow,
  { take, metadata }: Required<MergeChoices>,
): UserRow {
  const choose = <Name extends 'name' | 'email' | 'locale' | 'zoneinfo' | 'level'>(name: Name) =>
    take.includes(name) ? (from[name] ?? target[name]) : target[name];
  const merged = {
    ...target,
    name: choose('name'),
    email: choose('email'),
    locale: choose('locale'),
    zoneinfo: choose('zoneinfo'),
    level: choose('level'),
    email_verified_at: (choose('email') === target.email ? target : from).email_verified_at,
  };
  if (metadata === 'keep') return merged;
  const [user_metadata, app_metadata] = METADATA_MEMBERS.map((member) =>
    metadata === 'take' ? from[member] : patchMetadata(from[member], parseMetadata(target[member]), member),
  ) as [string | null, string | null];
  return { ...merged, user_metadata, app_metadata };
}
