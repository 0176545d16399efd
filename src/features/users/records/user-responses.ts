/** Responses with user records. */

import type { FastifyReply } from 'fastify';
import { pageLinks } from '../../../lib/routes/pagination.ts';
import { versionETag } from '../../../lib/routes/preconditions.ts';
import { timestamp } from '../../../lib/time/clock.ts';
import type { UserPage, VisibleUsers } from './list-users.ts';
import { parseMetadata } from './metadata.ts';
import type { UserRow } from './queries.ts';

/** Sends a record that the caller may see. */
export function sendUser(reply: FastifyReply, user: UserRow, message = `User ${user.id}`): FastifyReply {
  return reply.header('etag', versionETag(user.version)).send({ message, data: userView(user) });
}

const message = 'Users list';

export function sendUserList(reply: FastifyReply, visible: VisibleUsers, publicUrl: string): FastifyReply {
  switch (visible.kind) {
    case 'none':
      return reply.send({ message });
    case 'own':
      return reply.send({ message, data: visible.users.map(userView) });
    case 'page':
      return sendUserPage(reply, visible, publicUrl);
  }
}

function sendUserPage(reply: FastifyReply, page: UserPage, publicUrl: string): FastifyReply {
  const { users, nextCursor, isFirst, limit, parameters } = page;
  const url = `${publicUrl}/api/v1/users`;
  const link = pageLinks({ url, parameters, limit, nextCursor, isFirst });
  if (link !== undefined) reply.header('link', link);
  return reply.send({ message, data: users.map(userView), next_cursor: nextCursor });
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
    last_login_at: user.last_login_at === null ? null : timestamp(user.last_login_at),
    created_at: timestamp(user.created_at),
    updated_at: timestamp(user.updated_at),
    version: user.version,
    user_metadata: parseMetadata(user.user_metadata),
    app_metadata: parseMetadata(user.app_metadata),
  };
}
