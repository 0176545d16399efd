/**
 * Decides to which URLs a page may lead that a request has named, so that the service is no open redirector (RFC 9700
 * section 4.11.2; OWASP Unvalidated Redirects and Forwards Cheat Sheet).
 */

/** Longer ones are no addresses of pages. */
const MAX_LENGTH = 2_048;
/** White space, controls and backslashes, which parsers remove or read as slashes, and everything that is not ASCII. */
const UNSAFE = /[^\x21-\x7e]|\\/;
/**
 * What a server may read as `..` or as a slash after the path was compared: encoded dots, slashes and backslashes, also
 * encoded repeatedly, and segments of dots with a parameter, such as `..;`, which the parser of URLs keeps.
 */
const TRAVERSAL = /%(?:25)*(?:2e|2f|5c)|\/\.(?:\.|;|%)/i;

/**
 * Parses the URL of a page: `https`, or `http` of this machine, without user, password and fragment. Returns null for
 * everything else, also for what browsers would repair (`https:\\example.com`, line breaks).
 */
export function parsePageUrl(text: string): URL | null {
  if (text.length > MAX_LENGTH || UNSAFE.test(text) || text.includes('#')) return null;
  if (!/^https?:\/\/[^/?]/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?]*@/.test(text)) return null;
  return url.protocol === 'https:' || isLoopback(url.hostname) ? url : null;
}

export const PAGE_URL_RULE = 'https or http of this machine, no user, password or fragment';

/** Addresses that never leave the machine, by RFC 8252 section 7.3, and the name that browsers resolve to them. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Returns the URL in its normal form if it is allowed, otherwise null. */
export type AllowRedirect = (text: string) => string | null;

/**
 * Allows URLs on the origins of the prefixes: scheme, host and port are compared as a whole (RFC 6454). A prefix with a
 * path also needs that path, or one below it, after `.` and `..` were resolved.
 */
export function createRedirectPolicy(getPrefixes: () => readonly URL[]): AllowRedirect {
  return (text) => {
    const url = parsePageUrl(text);
    return url !== null && getPrefixes().some((prefix) => isBelow(url, prefix)) ? url.href : null;
  };
}

function isBelow({ origin, pathname }: URL, prefix: URL): boolean {
  if (origin !== prefix.origin) return false;
  const base = prefix.pathname.replace(/\/$/, '');
  if (base === '') return true;
  return !TRAVERSAL.test(pathname) && (pathname === base || pathname.startsWith(`${base}/`));
}
