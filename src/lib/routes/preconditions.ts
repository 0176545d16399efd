/** Conditional requests (RFC 9110 section 13.1). */
import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../problems/problem.ts';

/** Returns the strong ETag of a version of a record (RFC 9110 section 8.8.3). */
export const versionETag = (version: number): string => `"${version}"`;

/**
 * Returns whether If-Match names a version, or any. Without the header, every version is accepted. RFC 9110 section
 * 13.1.1 demands a strong comparison, but a tag is the version, whatever a proxy has done to the bytes.
 * The function throws Problem precondition_failed, with a text of its own, if no tag has the form of a version.
 */
export function ifMatch({ 'if-match': value = '*' }: IncomingHttpHeaders): (version: number) => boolean {
  const tags = value.split(',').map(toOpaque);
  return (version) => {
    if (value.trim() === '*' || tags.includes(versionETag(version))) return true;
    if (tags.some((tag) => /^"\d+"$/.test(tag))) return false;
    throw new Problem('precondition_failed', { text: 'If-Match has no ETag of a record, such as "7"' });
  };
}

/** Returns whether If-None-Match names this ETag, or any: the client has the representation already. */
export function isNotModified(headers: IncomingHttpHeaders, etag: string): boolean {
  const tags = (headers['if-none-match'] ?? '').split(',').map(toOpaque);
  return tags.includes(toOpaque(etag)) || tags.includes('*');
}

/**
 * Removes what proxies that compress add to an ETag: `W/` (nginx, HAProxy, Varnish), or the coding as a suffix, such as
 * `-gzip` (Apache, lighttpd, Caddy), `--gzip` (Jetty) and `;gzip`.
 */
function toOpaque(tag: string): string {
  return tag
    .trim()
    .replace(/^W\//, '')
    .replace(/(?:--?|;)(?:x-)?(?:gzip|br|zstd|deflate|bzip2|compress)"$/, '"');
}
