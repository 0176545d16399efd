/** Conditional requests (RFC 9110 section 13.1.1). */
import type { IncomingHttpHeaders } from 'node:http';

/** Returns the strong ETag of a version of a record (RFC 9110 section 8.8.3). */
export function versionETag(version: number): string {
  return `"${version}"`;
}

/** Returns whether If-Match names a version, or any; undefined without the header. */
export function ifMatch(headers: IncomingHttpHeaders): ((version: number) => boolean) | undefined {
  const value = headers['if-match'];
  if (value === undefined) return undefined;
  const tags = value.split(',').map((tag) => tag.trim());
  return (version) => value.trim() === '*' || tags.includes(versionETag(version));
}
