/** Settings that list values, separated by commas. */
import { isIP } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';
import { parseNetwork } from '../lib/outbound/address-policy.ts';
import { PAGE_URL_RULE, parsePageUrl } from '../lib/outbound/redirect-policy.ts';
import { baseUrl, InvalidValue, quoted, type Rule } from '../settings/rules.ts';
import { ConfigError, type Reader } from './reader.ts';

/** Returns the rule of one value. `description` follows "must list". */
function itemRule(isValid: (item: string) => boolean, description: string): Rule<string> {
  return (item) => {
    if (isValid(item)) return item;
    throw new InvalidValue(`must list ${description}, not ${quoted(item)}`);
  };
}

/** Origins, spelled exactly as browsers send them (RFC 6454 section 6.2). */
export const origin = itemRule(
  (item) => URL.canParse(item) && new URL(item).origin === item,
  'origins such as https://app.example.com',
);

const MAX_AUDIENCES = 50;
const MAX_AUDIENCE_LENGTH = 255;

/** A text with a colon is a URI (StringOrURI, RFC 7519 section 2). */
const audience = itemRule(
  (text) =>
    /^[\x21-\x7e]+$/.test(text) &&
    text.length <= MAX_AUDIENCE_LENGTH &&
    (!text.includes(':') || URL.canParse(text)),
  `names or URLs of at most ${MAX_AUDIENCE_LENGTH} visible ASCII characters, such as orders or https://orders.example.com`,
);

/** Reads the services for which JSON Web Tokens are issued, by the values of their claim `aud`. @throws ConfigError */
export function jwtAudiences(read: Reader, name: string): string[] {
  const audiences = read.list(name, audience);
  if (new Set(audiences).size < audiences.length) throw new ConfigError(name, 'must list each audience once');
  if (audiences.length > MAX_AUDIENCES)
    throw new ConfigError(name, `must list at most ${MAX_AUDIENCES} audiences`);
  if (audiences.length > 0 && read.optional('PUBLIC_URL', baseUrl) === null)
    throw new ConfigError('PUBLIC_URL', `is required with ${name}, because it is the issuer of the tokens`);
  return audiences;
}

/** Origins and prefixes of URLs to which the pages of links may lead. */
export const redirectUrl: Rule<string> = (given) => {
  const url = parsePageUrl(given);
  if (url !== null && url.search === '') return url.href;
  const examples = 'https://app.example.com or https://app.example.com/welcome';
  // The text before an "@" may contain a password.
  const shown = given.includes('@') ? '' : `, not ${quoted(given)}`;
  throw new InvalidValue(`must list URLs such as ${examples}, ${PAGE_URL_RULE}, no query${shown}`);
};

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

const addressOrNetwork = itemRule(
  (text) => NAMED_NETWORKS.includes(text) || isNetwork(text),
  'addresses or networks such as 10.0.0.0/8',
);

/** IP addresses, networks in CIDR notation, and NAMED_NETWORKS, as @fastify/proxy-addr accepts them. */
export const proxyNetwork: Rule<string> = (text) => {
  const network = addressOrNetwork(text);
  if (!containsEveryAddress(network)) return network;
  throw new InvalidValue(`must list only your proxies: ${quoted(network)} would trust every client`);
};

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

const webhookAddresses = itemRule(
  (text) => parseNetwork(text) !== undefined,
  'addresses or networks such as 10.0.0.0/8 or ::1',
);

/** Addresses and networks that webhooks are delivered to besides public addresses. */
export const webhookNetwork: Rule<string> = (text) => {
  if (parseNetwork(webhookAddresses(text))![1] !== 0) return text;
  throw new InvalidValue(
    `must list only your networks: ${quoted(text)} would allow webhooks to every address`,
  );
};
