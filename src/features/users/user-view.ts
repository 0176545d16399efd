import { pageLinks } from '../../http/request/pagination.ts';
import { versionETag } from '../../http/request/preconditions.ts';
import type { HandlerResponse } from '../../http/route.ts';
import { timestamp } from '../../lib/clock.ts';
import { isId } from '../../lib/ids.ts';
import { Problem } from '../../problems.ts';
import type { UserPage } from './list-users.ts';
import type { UserFilter, UserRow } from './queries.ts';

/** The response with a record that the caller may see. */
export function userResponse(user: UserRow, message = `User ${user.id}`): HandlerResponse {
  return {
    status: 200,
    headers: { etag: versionETag(user.version) },
    body: { message, data: userView(user) },
  };
}

/** The response with what `listUsers` returned. */
export function userListResponse(
  listed: UserPage | readonly UserRow[] | undefined,
  publicUrl: string,
): HandlerResponse {
  const message = 'Users list';
  if (listed === undefined) return { status: 200, body: { message } };
  if (!('users' in listed)) return { status: 200, body: { message, data: listed.map(userView) } };
  const { users, nextCursor, isFirst, limit, filter } = listed;
  const url = `${publicUrl}/api/v1/users`;
  const link = pageLinks({ url, parameters: filterParameters(filter), limit, nextCursor, isFirst });
  return {
    status: 200,
    headers: link === undefined ? {} : { link },
    body: { message, data: users.map(userView), next_cursor: nextCursor },
  };
}

function filterParameters({ state, emailKey }: UserFilter): Record<string, string> {
  return { ...(state === null ? {} : { state }), ...(emailKey === null ? {} : { email: emailKey }) };
}

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

/** @throws Problem user_not_found for text that cannot be an id: the database need not be asked */
export function parseUserId(id: string): string {
  if (!isId(id)) throw new Problem('user_not_found');
  return id;
}
