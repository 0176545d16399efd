import { timestamp } from '../../tools/clock.ts';
import type { UserRow } from './queries.ts';

/** A user as the API shows it. */
export function userView(user: UserRow) {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    level: user.level,
    state: user.state,
    email_verified_at: user.email_verified_at === null ? null : timestamp(user.email_verified_at),
    created_at: timestamp(user.created_at),
    updated_at: timestamp(user.updated_at),
    version: user.version,
  };
}

/** A strong validator: the version counts every change of the record (RFC 9110 section 8.8.3). */
export function userTag(user: Pick<UserRow, 'version'>): string {
  return `"${user.version}"`;
}
