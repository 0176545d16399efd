/** Checks URLs that the service shall send requests to, before anything is resolved. */
import { isIP } from 'node:net';
import type { AddressPolicy, UrlScheme } from './address-policy.ts';

/**
 * Ports of other protocols, whose servers might execute what a request contains: browsers send no request to them
 * (https://fetch.spec.whatwg.org/#port-blocking).
 */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  ...[0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103],
  ...[
    104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514,
  ],
  ...[515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723],
  ...[2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

/** A URL in its normal form, or the reason why nothing can ever be sent to it: the end of "The url must …". */
type CheckedUrl = { readonly url: string } | { readonly reason: string };

/** Removed or read as slashes by URL parsers, each in its own way. */
const AMBIGUOUS_CHARACTERS = /[\s\x00-\x1f\x7f\\]/;
/** Also an empty user, as in `https://@host/`, which the parser drops. */
const USER_INFO = /^https?:\/\/[^/?#]*@/i;
/** Names that are never on the public internet: RFC 6761, 6762, 7686, 8375, 9476, and `.internal` (ICANN, 2024). */
const LOCAL_NAME = /(?:^|\.)(?:local|internal|home\.arpa|test|invalid|onion|alt)$/;
const LOCALHOST = /(?:^|\.)localhost$/;
/** RFC 1035 section 2.3.4. A host that ends with a dot has a reason of its own. */
const RESOLVABLE = /^(?=.{1,253}$)(?:[^.]{1,63}\.)*[^.]{1,63}$/;
const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'];

/** Returns the URL in its normal form, with an ASCII host in lower case, or the reason against it. */
export function checkUrl(text: string, policy: AddressPolicy): CheckedUrl {
  if (AMBIGUOUS_CHARACTERS.test(text) || !/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text))
    return { reason: 'be an absolute URL such as https://example.com/webhooks.' };
  if (USER_INFO.test(text)) return { reason: 'not contain a user or a password.' };
  const url = new URL(text);
  const reason = findUrlReason(url) ?? findHostReason(url, policy);
  return reason === undefined ? { url: url.href } : { reason };
}

/** Returns the address of a URL whose host is a literal address, without brackets. */
function getLiteralAddress({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? undefined : host;
}

function findUrlReason({ hash, port, href }: URL): string | undefined {
  if (hash !== '' || href.endsWith('#')) return 'not contain a fragment.';
  return port !== '' && BLOCKED_PORTS.has(Number(port)) ? `not use port ${port}.` : undefined;
}

function findHostReason(url: URL, policy: AddressPolicy): string | undefined {
  const scheme = url.protocol as UrlScheme;
  const address = getLiteralAddress(url);
  if (address !== undefined && !policy.isInNetworks(address))
    return scheme === 'https:' && policy.permits(address, scheme)
      ? undefined
      : 'lead to a public address by https.';
  const host = url.hostname;
  if (host.endsWith('.')) return 'have a host without a dot at its end.';
  if (!RESOLVABLE.test(host)) return 'have a host of at most 253 characters, 1 to 63 between dots.';
  if (LOCALHOST.test(host) && !LOOPBACK_ADDRESSES.some((loopback) => policy.isInNetworks(loopback)))
    return 'lead to a public address by https.';
  // The addresses of a name are known only when a request is sent: they may be in one of the networks.
  if (policy.hasNetworks) return undefined;
  if (scheme !== 'https:') return 'begin with https.';
  return !host.includes('.') || LOCAL_NAME.test(host) ? 'lead to a public address by https.' : undefined;
}
