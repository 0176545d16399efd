/** What a request may carry: one media type, one encoding, parsed in one place. */
import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../problems.ts';

/** `application/json` or `application/<anything>+json`, and no charset but UTF-8 (RFC 8259 section 8.1). */
const JSON_TYPE = /^application\/(?:json|[\w.!#$&^-]+\+json)[\t ]*(?:;[\t ]*charset="?utf-8"?[\t ]*)?$/i;

export function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Refuses a body before it is read. @throws Problem unsupported_media_type with what would be accepted
 * (RFC 9110 section 15.5.16)
 */
export function checkContent(headers: IncomingHttpHeaders): void {
  if (!hasBody(headers)) return;
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Problem('unsupported_media_type', { headers: { 'accept-encoding': 'identity' } });
  }
  const type = headers['content-type'];
  if (type === 'application/json') return;
  if (type === undefined || !JSON_TYPE.test(type)) {
    throw new Problem('unsupported_media_type', { headers: { accept: 'application/json' } });
  }
}
