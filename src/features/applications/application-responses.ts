/** Responses with applications. */
import type { FastifyReply } from 'fastify';
import type { CreatedResponse } from '../../idempotency/created-response.ts';
import { versionETag } from '../../lib/routes/preconditions.ts';
import { formatTimes, optionalTimestamp } from '../../lib/time/clock.ts';
import { NOT_CACHED } from '../tokens/token-responses.ts';
import type { ApplicationWithSecret } from './create-application.ts';
import type { ApplicationRow } from './queries.ts';

export function sendApplication(reply: FastifyReply, application: ApplicationRow, now: number): FastifyReply {
  const body = { message: `Application ${application.id}`, data: applicationView(application, now) };
  return reply.header('etag', versionETag(application.version)).send(body);
}

/** Returns the response with an application and its new secret. */
export function newSecretResponse(
  { application, secret }: ApplicationWithSecret,
  { status, message, now }: { readonly status: 200 | 201; readonly message: string; readonly now: number },
): CreatedResponse {
  const location = status === 201 ? { location: `/api/v1/applications/${application.id}` } : {};
  return {
    status,
    headers: { ...NOT_CACHED, etag: versionETag(application.version), ...location },
    body: { message, data: { ...applicationView(application, now), client_secret: secret } },
    createdResources: {},
  };
}

/** Returns an application as the API shows it, without its secret. */
export function applicationView(application: ApplicationRow, now: number) {
  const { redirect_uris, post_logout_redirect_uris, scopes, previous_until } = application;
  const isOverlapping = previous_until !== null && previous_until > now;
  return {
    ...formatTimes(application, ['created_at', 'updated_at', 'rotated_at']),
    redirect_uris: JSON.parse(redirect_uris) as string[],
    post_logout_redirect_uris: JSON.parse(post_logout_redirect_uris) as string[],
    scopes: scopes.split(' '),
    previous_until: optionalTimestamp(isOverlapping ? previous_until : null),
  };
}
