/** Checks a request's media type, encoding and announced length, in one place, before its body is read. */
import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../problems/problem.ts';

/** Limit of routes that do not set `maxBodyBytes`. */
export const MAX_BODY_BYTES = 65_536;

export type BodyType = 'json' | 'form';

const ACCEPTED: Readonly<Record<BodyType, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
};

/**
 * `application/json` or `application/<anything>+json`, or the type of HTML forms, and no charset but UTF-8 (RFC 8259
 * section 8.1; WHATWG URL section 5).
 */
const PATTERNS: Readonly<Record<BodyType, RegExp>> = {
  json: /^application\/(?:json|[\w.!#$&^-]+\+json)[\t ]*(?:;[\t ]*(?:charset="?utf-8"?[\t ]*)?)?$/i,
  form: /^application\/x-www-form-urlencoded[\t ]*(?:;[\t ]*(?:charset="?utf-8"?[\t ]*)?)?$/i,
};

export interface AcceptedContent {
  readonly maxBodyBytes?: number;
  readonly bodyType?: BodyType;
}

/** Whether the request has a body: its headers say so, not its method (RFC 9112 section 6.3). */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Rejects a body by its headers, also on routes that read none.
 * @throws Problem payload_too_large, or unsupported_media_type with what is accepted (RFC 9110 section 15.5.16)
 */
export function checkContent(
  headers: IncomingHttpHeaders,
  { maxBodyBytes = MAX_BODY_BYTES, bodyType = 'json' }: AcceptedContent = {},
): void {
  if (!hasBody(headers)) return;
  if (Number(headers['content-length']) > maxBodyBytes) {
    throw new Problem('payload_too_large', { closesConnection: true });
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Problem('unsupported_media_type', { headers: { 'accept-encoding': 'identity' } });
  }
  const type = headers['content-type'];
  const accept = ACCEPTED[bodyType];
  if (type === accept) return;
  if (type === undefined || !PATTERNS[bodyType].test(type)) {
    throw new Problem('unsupported_media_type', { headers: { accept } });
  }
}
