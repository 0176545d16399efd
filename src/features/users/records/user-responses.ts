/** Responses with user records. */
import type { FastifyReply } from 'fastify';
import { versionETag } from '../../../lib/routes/preconditions.ts';
import { formatTimes } from '../../../lib/time.ts';
import { parseMetadata } from './metadata.ts';
import type { UserRow } from './queries.ts';

/** Sends a record that the caller may see. */
export function sendUser(reply: FastifyReply, user: UserRow, message = `User ${user.id}`): FastifyReply {
  return reply.header('etag', versionETag(user.version)).send({ message, data: userView(user) });
}

const TIMES = [
  'email_verified_at',
  'last_login_at',
  'totp_enabled_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof UserRow)[];

/** Returns a user as the API shows it. */
export function userView(user: UserRow) {
  return {
    ...formatTimes(user, TIMES),
    user_metadata: parseMetadata(user.user_metadata),
    app_metadata: parseMetadata(user.app_metadata),
  };
}
