import type { HandlerResponse } from '../../http/route.ts';
import { timestamp } from '../../lib/clock.ts';
import { isId } from '../../lib/ids.ts';
import { Problem } from '../../problems.ts';
import type { UserRow } from './queries.ts';

/** A record as the answer to those who may see it. */
export function userResponse(user: UserRow, message = `User ${user.id}`): HandlerResponse {
  return { status: 200, headers: { etag: userETag(user) }, body: { message, data: userView(user) } };
}

export type UserView = ReturnType<typeof userView>;

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
export function userETag(user: Pick<UserRow, 'version'>): string {
  return `"${user.version}"`;
}

/** @throws Problem user_not_found for text that cannot be an id: the database need not be asked */
export function parseUserId(id: string): string {
  if (!isId(id)) throw new Problem('user_not_found');
  return id;
}
