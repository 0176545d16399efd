/** Routes and responses of pages and files. */
import type { FastifyReply } from 'fastify';
import { isNotModified } from '../../../lib/routes/preconditions.ts';
import type { ServedDocument } from './documents.ts';

/** Allows pages the style sheets and the scripts of this service, and nothing else. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Sends the document, cacheable for five minutes, or 304 if the client has it already (RFC 9110 section 13.1.2). */
export function sendDocument(
  reply: FastifyReply,
  { content, mediaType, etag }: ServedDocument,
  extraHeaders: Readonly<Record<string, string>> = {},
): FastifyReply {
  const policy = mediaType.startsWith('text/html') ? { 'content-security-policy': PAGE_POLICY } : {};
  reply.headers({ 'cache-control': 'public, max-age=300', etag, ...policy, ...extraHeaders });
  if (isNotModified(reply.request.headers, etag)) return reply.code(304).send();
  return reply.header('content-type', mediaType).send(content);
}

/** Options of the routes of pages and files. They are not part of the API, and not in its description. */
export const DOCUMENT_ROUTE = {
  schema: { hide: true },
  config: { access: 'public', limits: ['documents'], isCompressed: true },
} as const;
