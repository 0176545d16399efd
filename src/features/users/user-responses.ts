/** Responses with user records. */
import { pageLinks } from '../../lib/pagination.ts';
import { versionETag } from '../../lib/preconditions.ts';
import type { HandlerResponse } from '../../http/route.ts';
import { timestamp } from '../../lib/clock.ts';
import type { UserPage, VisibleUsers } from './list-users.ts';
import type { UserRow } from './queries.ts';

/** Returns the response with a record that the caller may see. */
export function userResponse(user: UserRow, message = `User ${user.id}`): HandlerResponse {
  return {
    status: 200,
    headers: { etag: versionETag(user.version) },
    body: { message, data: userView(user) },
  };
}

const message = 'Users list';

export function userListResponse(visible: VisibleUsers, publicUrl: string): HandlerResponse {
  switch (visible.kind) {
    case 'none':
      return { status: 200, body: { message } };
    case 'own':
      return { status: 200, body: { message, data: visible.users.map(userView) } };
    case 'page':
      return userPageResponse(visible, publicUrl);
  }
}

function userPageResponse(page: UserPage, publicUrl: string): HandlerResponse {
  const { users, nextCursor, isFirst, limit } = page;
  const url = `${publicUrl}/api/v1/users`;
  const link = pageLinks({ url, parameters: listParameters(page), limit, nextCursor, isFirst });
  return {
    status: 200,
    headers: link === undefined ? {} : { link },
    body: { message, data: users.map(userView), next_cursor: nextCursor },
  };
}

function listParameters({ filter, order }: UserPage): Record<string, string> {
  const { state, emailKey, search } = filter;
  return {
    ...(state === null ? {} : { state }),
    ...(emailKey === null ? {} : { email: emailKey }),
    ...(search === null ? {} : { search }),
    ...(order === 'created_at' ? {} : { order }),
  };
}

/** Returns a user as the API shows it. */
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
