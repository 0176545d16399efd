/** Rules of settings that list origins, URLs, addresses and networks, and of the URL of the database. */
import { isIP } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';
import { parseNetwork } from '../lib/outbound/address-policy.ts';
import { PAGE_URL_RULE, parsePageUrl } from '../lib/outbound/redirect-policy.ts';
import { InvalidValue, itemRule, list, quoted } from './rules.ts';

/** Origins, spelled exactly as browsers send them (RFC 6454 section 6.2). */
export const origins = list(
  itemRule(
    (item) => URL.canParse(item) && new URL(item).origin === item,
    'origins such as https://app.example.com',
  ),
);

const MAX_AUDIENCES = 50;
const MAX_AUDIENCE_LENGTH = 255;

/** A text with a colon is a URI (StringOrURI, RFC 7519 section 2). */
const audiences = list(
  itemRule(
    (text) =>
      /^[\x21-\x7e]+$/.test(text) &&
      text.length <= MAX_AUDIENCE_LENGTH &&
      (!text.includes(':') || URL.canParse(text)),
    `names or URLs of at most ${MAX_AUDIENCE_LENGTH} visible ASCII characters, such as orders or https://orders.example.com`,
  ),
);

/** The services for which JSON Web Tokens are issued, by the values of their claim `aud`. */
export function jwtAudiences(text: string): string[] {
  const found = audiences(text);
  if (new Set(found).size < found.length) throw new InvalidValue('must list each audience once');
  if (found.length > MAX_AUDIENCES) throw new InvalidValue(`must list at most ${MAX_AUDIENCES} audiences`);
  return found;
}

/** Origins and prefixes of URLs to which the pages of links may lead. */
export const redirectUrls = list((given) => {
  const url = parsePageUrl(given);
  if (url !== null && url.search === '') return url.href;
  const examples = 'https://app.example.com or https://app.example.com/welcome';
  // The text before an "@" may contain a password.
  const shown = given.includes('@') ? '' : `, not ${quoted(given)}`;
  throw new InvalidValue(`must list URLs such as ${examples}, ${PAGE_URL_RULE}, no query${shown}`);
});

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

const addressOrNetwork = itemRule(
  (text) => NAMED_NETWORKS.includes(text) || isNetwork(text),
  'addresses or networks such as 10.0.0.0/8',
);

/** IP addresses, networks in CIDR notation, and NAMED_NETWORKS, as @fastify/proxy-addr accepts them. */
export const proxyNetworks = list((text) => {
  const network = addressOrNetwork(text);
  if (!containsEveryAddress(network)) return network;
  throw new InvalidValue(`must list only your proxies: ${quoted(network)} would trust every client`);
});

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  // Both: ipaddr.js accepts `127.1`, and isIP accepts zone names that ipaddr.js and so the proxy library reject.
  if (version === 0 || !ipaddr.isValid(address) || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** The library rejects a prefix of 0 bits, so that one is checked first; IPv4-mapped networks need its arithmetic. */
function containsEveryAddress(network: string): boolean {
  if (/\/0+$/.test(network)) return true;
  const isTrusted = proxyAddress.compile([network]);
  return isTrusted('0.0.0.0', 0) && isTrusted('255.255.255.255', 0);
}

const webhookAddress = itemRule(
  (text) => parseNetwork(text) !== undefined,
  'addresses or networks such as 10.0.0.0/8 or ::1',
);

/** Addresses and networks that webhooks are delivered to besides public addresses. */
export const webhookNetworks = list((text) => {
  if (parseNetwork(webhookAddress(text))![1] !== 0) return text;
  throw new InvalidValue(
    `must list only your networks: ${quoted(text)} would allow webhooks to every address`,
  );
});

/** A URL of PostgreSQL. The message leaves the value out: it may contain a password. */
export function databaseUrl(given: string): string {
  if (isPostgresUrl(given)) return withExplicitSslMode(given);
  throw new InvalidValue(
    'must be postgres://user:password@host:port/database, or postgres:///database?host=/directory/of/the/socket',
  );
}

/** Requires a host or a socket directory, because the driver defaults to localhost. */
function isPostgresUrl(given: string): boolean {
  if (!/^postgres(ql)?:\/\//i.test(given) || !URL.canParse(given)) return false;
  const { hostname, searchParams } = new URL(given);
  const isPortNumber = /^\d*$/.test(searchParams.get('port') ?? '');
  return isPortNumber && (hostname !== '' || Boolean(searchParams.get('host')));
}

/** Replaces modes that the driver treats as verify-full, because it prints a warning about them on standard error. */
function withExplicitSslMode(url: string): string {
  if (/[?&]uselibpqcompat=true(&|#|$)/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|#|$)/, '$1verify-full');
}
