/** Redirect URIs of applications (RFC 9700 section 2.1, RFC 8252): pure functions. */
import { parsePageUrl } from '../../lib/outbound/redirect-policy.ts';

export const APPLICATION_KINDS = ['web', 'public'] as const;
export type ApplicationKind = (typeof APPLICATION_KINDS)[number];

/** A private-use scheme is a domain name in reverse order (RFC 8252 section 7.1). */
const PRIVATE_USE = /^[a-z][a-z\d-]*(?:\.[a-z\d-]+)+:\/[^@]*$/;
/** Characters of URIs (RFC 3986 section 2), without those of fragments and wildcards. */
const CHARACTERS = /^[\w.~:/?@!$&'()+,;=%[\]-]+$/;
/** Hosts of this machine, where the port of a program is known only when it runs (RFC 8252 section 7.3). */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d+)?(?=[/?]|$)(.*)$/;
const MAX_LENGTH = 2_048;

/**
 * Whether an application of this kind may have the URI: `https`, `http` of this machine, or a private-use scheme, written
 * as parsers write it. What they would repair (`https:\\host`, `/../`, upper case, default ports) is rejected, so that an
 * exact comparison suffices.
 */
export function isRedirectUri(uri: string, kind: ApplicationKind): boolean {
  if (uri.length > MAX_LENGTH || !CHARACTERS.test(uri)) return false;
  if (PRIVATE_USE.test(uri)) return kind === 'public' && isNormal(uri);
  const url = parsePageUrl(uri);
  if (url === null || !isNormal(uri)) return false;
  return url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}

/** An origin may lack the slash that parsers add. */
const isNormal = (uri: string): boolean => URL.canParse(uri) && [uri, `${uri}/`].includes(new URL(uri).href);

/** Whether the URI is one of this JSON array, by the rules of `includesUri`. */
export function isRegistered(stored: string, uri: string, kind: ApplicationKind): boolean {
  return includesUri(JSON.parse(stored), uri, kind);
}

/** Returns the origins of the pages of this JSON array. */
export function listOrigins(stored: string): string[] {
  const origins = (JSON.parse(stored) as string[]).map((uri) => new URL(uri).origin);
  return origins.filter((origin) => origin !== 'null');
}

/** Compares URIs, or origins, as texts, but for the port of loopback literals, and of localhost for public applications. */
export function includesUri(registered: readonly string[], uri: string, kind: ApplicationKind): boolean {
  if (registered.includes(uri)) return true;
  const withoutPort = dropLoopbackPort(uri, kind);
  if (withoutPort === null || !isRedirectUri(uri, 'web')) return false;
  return registered.some((other) => dropLoopbackPort(other, kind) === withoutPort);
}

function dropLoopbackPort(uri: string, kind: ApplicationKind): string | null {
  const [, host, path] = LOOPBACK.exec(uri) ?? [];
  const isFixed = host === undefined || (kind === 'web' && host.endsWith('localhost'));
  return isFixed ? null : `${host}${path}`;
}

/** Returns the source for `form-action` of a policy (CSP 3 section 6.4.1.2): the origin, or the private-use scheme. */
export function toPolicySource(uri: string): string {
  const { origin, protocol } = new URL(uri);
  return origin === 'null' ? protocol : origin;
}

/** Returns the URI with these parameters, unless they are undefined, encoded as in forms (RFC 6749 appendix B). */
export function addParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.append(name, value);
  return query.size === 0 ? uri : `${uri}${uri.includes('?') ? '&' : '?'}${query}`;
}
