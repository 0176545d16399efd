/** Responses with records. */
import type { FastifyReply } from 'fastify';
import type { CreatedResponse } from '../../idempotency/stored-response.ts';
import { versionETag } from '../../lib/routes/preconditions.ts';
import { NOT_CACHED } from '../people/tokens/token-responses.ts';

/** Sends a record with its ETag. */
export function sendRecord(
  reply: FastifyReply,
  body: { readonly message: string; readonly data: { readonly version: number } },
): FastifyReply {
  return reply.header('etag', versionETag(body.data.version)).send(body);
}

/** Returns the response with a secret, which is not cached: to the creation of the record at `location`, or a rotation. */
export function secretResponse(
  body: { readonly message: string; readonly data: { readonly id: string; readonly version?: number } },
  location?: string,
): CreatedResponse {
  const { version } = body.data;
  const headers = {
    ...NOT_CACHED,
    ...(version !== undefined && { etag: versionETag(version) }),
    ...(location !== undefined && { location }),
  };
  return { status: location === undefined ? 200 : 201, headers, body, createdResources: {} };
}
