/** Responses with webhooks. */
import type { FastifyReply } from 'fastify';
import type { CreatedResponse } from '../../idempotency/stored-response.ts';
import { versionETag } from '../../lib/routes/preconditions.ts';
import { formatTimes, formatTimestamp } from '../../lib/time.ts';
import { NOT_CACHED } from '../people/tokens/token-responses.ts';
import type { EndpointWithSecret } from './create-endpoint.ts';
import type { EndpointRow } from './queries.ts';
import { formatSecret } from './secrets.ts';

export function sendWebhook(
  reply: FastifyReply,
  endpoint: EndpointRow,
  { now, health = {} }: { readonly now: number; readonly health?: object },
): FastifyReply {
  const body = { message: `Webhook ${endpoint.id}`, data: { ...webhookView(endpoint, now), ...health } };
  return reply.header('etag', versionETag(endpoint.version)).send(body);
}

/** Returns the response with a webhook and its new secret. */
export function newSecretResponse(
  { endpoint, secret }: EndpointWithSecret,
  { status, message, now }: { readonly status: 200 | 201; readonly message: string; readonly now: number },
): CreatedResponse {
  const location = status === 201 ? { location: `/api/v1/webhooks/${endpoint.id}` } : {};
  return {
    status,
    headers: { ...NOT_CACHED, etag: versionETag(endpoint.version), ...location },
    body: { message, data: { ...webhookView(endpoint, now), secret: formatSecret(secret) } },
    createdResources: {},
  };
}

/** Returns a webhook as the API shows it. */
export function webhookView(endpoint: EndpointRow, now: number) {
  const { types, enabled, previous_secret_until: until } = endpoint;
  return {
    ...formatTimes(endpoint, ['failing_since', 'created_at', 'updated_at']),
    types: types === null ? null : JSON.parse(types),
    enabled: enabled === 1,
    previous_secret_until: until !== null && until > now ? formatTimestamp(until) : null,
  };
}
