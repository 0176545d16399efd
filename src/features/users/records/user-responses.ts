/** Responses with user records. */
import type { FastifyReply } from 'fastify';
import { versionETag } from '../../../lib/routes/preconditions.ts';
import { formatTimestamp, optionalTimestamp } from '../../../lib/time.ts';
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
    zoneinfo: user.zoneinfo,
    role: user.role,
    state: user.state,
    email_verified_at: optionalTimestamp(user.email_verified_at),
    last_login_at: optionalTimestamp(user.last_login_at),
    totp_enabled_at: optionalTimestamp(user.totp_enabled_at),
    created_at: formatTimestamp(user.created_at),
    updated_at: formatTimestamp(user.updated_at),
    version: user.version,
    user_metadata: parseMetadata(user.user_metadata),
    app_metadata: parseMetadata(user.app_metadata),
    ...(user.groups && { groups: user.groups }),
  };
}
