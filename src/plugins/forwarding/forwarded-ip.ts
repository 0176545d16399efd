/** The address that a program forwards with a request which it sends for somebody else. */
import type { IncomingHttpHeaders } from 'node:http';
import parseForwarded from 'forwarded-parse';
import { parseClientIp } from '../../lib/network.ts';
import { parseAddress } from '../../lib/outbound/public-address.ts';
import { Problem } from '../../problems/problem.ts';

/**
 * Returns the address of the last entry of `Forwarded` (RFC 7239) or `X-Forwarded-For`, without its port. The last
 * one is that of the program; those before it came with the request that the program received, and prove nothing.
 * @param proxies number of entries of X-Forwarded-For, from the end, that trusted proxies have added
 * @throws Problem malformed_request unless exactly one of both names an address
 */
export function readForwardedIp(headers: IncomingHttpHeaders, proxies: number): string {
  const { forwarded } = headers;
  const entries = listEntries(headers['x-forwarded-for']);
  const last = entries[entries.length - 1 - proxies];
  // A program that sets one and passes the other on unread would let its clients choose.
  if (forwarded !== undefined && last !== undefined)
    throw malformed('Forwarded and X-Forwarded-For cannot be combined');
  if (forwarded !== undefined) return toAddress('Forwarded', readLastForwardedAddress(forwarded));
  if (last === undefined)
    throw malformed('Forwarded or X-Forwarded-For is required with Frontdesk-Credential');
  return toAddress('X-Forwarded-For', last.trim());
}

/** Returns the entries as @fastify/proxy-addr counts them: without empty ones. */
function listEntries(header: string | readonly string[] | undefined): string[] {
  const text = String(header ?? '');
  return text.split(',').filter((entry) => !/^ *$/.test(entry));
}

function readLastForwardedAddress(header: string): string {
  const last = parseElements(header).at(-1);
  if (last === undefined || !Object.hasOwn(last, 'for')) throw malformed('Forwarded has no for');
  return last.for!;
}

function parseElements(header: string): Record<string, string>[] {
  try {
    return parseForwarded(header);
  } catch (cause) {
    throw malformed('Forwarded is malformed', cause);
  }
}

/** Unknown and obfuscated identifiers (RFC 7239 section 6) are no addresses; neither are those of a zone. */
function toAddress(name: string, text: string): string {
  const address = text.includes('%') ? undefined : parseAddress(parseClientIp(text));
  if (address === undefined) throw malformed(`${name} must end with an IP address`);
  return address.toString();
}

function malformed(text: string, cause?: unknown): Problem {
  return new Problem('malformed_request', { text, cause });
}
