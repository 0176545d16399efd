/** Responses with user records. */

import type { FastifyReply } from 'fastify';
import { versionETag } from '../../../lib/routes/preconditions.ts';
import { timestamp } from '../../../lib/time/clock.ts';
import { parseMetadata } from './metadata.ts';
import type { UserRow } from './queries.ts';

/** Sends a record that the caller may see. */
export function sendUser(reply: FastifyReply, user: UserRow, message = `User ${user.id}`): FastifyReply {
  return sendView(reply, user, { message, data: userView(user) });
}

/** Sends a record to the administrator, with the end of its lock in epoch milliseconds; null: it is not locked. */
export function sendLockableUser(reply: FastifyReply, user: UserRow, lockedUntil: number | null) {
  const locked_until = lockedUntil === null ? null : timestamp(lockedUntil);
  return sendView(reply, user, { message: `User ${user.id}`, data: { ...userView(user), locked_until } });
}

function sendView(reply: FastifyReply, { version }: UserRow, body: object): FastifyReply {
  return reply.header('etag', versionETag(version)).send(body);
}

/** Returns a user as the API shows it. */
export function userView(user: UserRow) {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    level: user.level,
    locale: user.locale,
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
