/** User records, as the API returns them. */
import type { User, UserState } from '../../common/api-types.ts';
import type { RecordDialogProps } from '../records/record-actions.tsx';
import { createRecords, type PageSection } from '../records/requests.ts';

export const STATES = {
  active: 'Active',
  disabled: 'Disabled',
  unclaimed: 'Unclaimed',
} as const satisfies Record<UserState, string>;

const TONES = { active: 'usual', disabled: 'warn', unclaimed: 'note' } as const;

/** Explains the state of accounts without a password. */
export const UNCLAIMED =
  'Unclaimed: the account was created for somebody who has not set a password yet, and cannot sign in before.';

export function StateBadge({ state }: { readonly state: UserState }) {
  return (
    <span class={`badge ${TONES[state]}`} title={state === 'unclaimed' ? UNCLAIMED : undefined}>
      {STATES[state]}
    </span>
  );
}

/** Returns the display name of the user. */
export function toLabel({ id, name, email }: User): string {
  return email || name || id;
}

/** Returns the name of the user, or else the email or id. */
export function toName(user: User): string {
  return user.name || toLabel(user);
}

export const users = createRecords<User>('/api/v1/users', 'user');

export type UserSection = PageSection<User>;
export type UserDialog = RecordDialogProps<User>;
