/** Conditional requests (RFC 9110 section 13.1). */
import type { IncomingHttpHeaders } from 'node:http';

/** Returns the strong ETag of a version of a record (RFC 9110 section 8.8.3). */
export function versionETag(version: number): string {
  return `"${version}"`;
}

/** Returns whether If-Match names a version, or any. Without the header, every version is accepted. */
export function ifMatch({ 'if-match': value = '*' }: IncomingHttpHeaders): (version: number) => boolean {
  const tags = value.split(',').map((tag) => tag.trim());
  return (version) => value.trim() === '*' || tags.includes(versionETag(version));
}

/** Returns whether If-None-Match names this ETag, or any: the client has the representation already. */
export function isNotModified(headers: IncomingHttpHeaders, etag: string): boolean {
  const toOpaque = (tag: string) => tag.trim().replace(/^W\//, '');
  const tags = (headers['if-none-match'] ?? '').split(',').map(toOpaque);
  return tags.includes(toOpaque(etag)) || tags.includes('*');
}
