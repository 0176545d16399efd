/** User records, as the API returns them. */
import { ApiError } from '../../common/api.ts';
import type { User, UserChanges, UserState } from '../../common/api-types.ts';
import { request } from '../session.ts';

export const STATES = {
  active: 'Active',
  disabled: 'Disabled',
  unclaimed: 'Unclaimed',
} as const satisfies Record<UserState, string>;

const TONES = { active: 'usual', disabled: 'warn', unclaimed: 'note' } as const;

/** Explains the state of accounts without a password. */
export const UNCLAIMED =
  'Unclaimed: the account was created for somebody who has not set a password yet, and cannot log in before.';

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

export function userPath(id: string): string {
  return `/api/v1/users/${encodeURIComponent(id)}`;
}

/** Returns the precondition that the user is as this page shows them. */
export function ifMatch({ version }: User) {
  return { 'If-Match': `"${version}"` };
}

/** Returns the user after the change. @throws ApiError with 412 when the user was changed since */
export async function changeUser(user: User, body: UserChanges): Promise<User> {
  const response = await request<{ data: User }>(userPath(user.id), {
    method: 'PATCH',
    headers: ifMatch(user),
    body,
  });
  return response.body.data;
}

/** Whether the user is no longer as this page shows them. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}

export async function loadUser(id: string): Promise<User> {
  return (await request<{ data: User }>(userPath(id))).body.data;
}
