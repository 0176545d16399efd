/** Responses with user records. */

import type { FastifyReply } from 'fastify';
import { versionETag } from '../../../lib/routes/preconditions.ts';
import { timestamp } from '../../../lib/time/clock.ts';
import { parseMetadata } from './metadata.ts';
import type { UserRow } from './queries.ts';

/** Sends a record that the caller may see. */
export function sendUser(reply: FastifyReply, user: UserRow, message = `User ${user.id}`): FastifyReply {
  return reply.header('etag', versionETag(user.version)).send({ message, data: userView(user) });
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
