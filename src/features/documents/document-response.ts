import type { IncomingHttpHeaders } from 'node:http';
import type { HandlerResponse } from '../../http/route.ts';
import type { Document } from './documents.ts';

/** Allows pages the style sheets and the scripts of this service, and nothing else. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Returns the document, cacheable for five minutes, or 304 if the client has it already (RFC 9110 section 13.1.2). */
export function documentResponse(
  { content, mediaType, etag }: Document,
  headers: IncomingHttpHeaders,
  extraHeaders: Readonly<Record<string, string>> = {},
): HandlerResponse {
  const policy = mediaType.startsWith('text/html') ? { 'content-security-policy': PAGE_POLICY } : {};
  const common = { 'cache-control': 'public, max-age=300', etag, ...policy, ...extraHeaders };
  if (isCurrent(headers['if-none-match'] ?? '', etag)) return { status: 304, headers: common };
  return { status: 200, headers: { ...common, 'content-type': mediaType }, body: content };
}

function isCurrent(ifNoneMatch: string, etag: string): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
