/**
 * Requests of a program for its client, with a credential in `Frontdesk-Credential`: the client counts, not the
 * program.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import parseForwarded from 'forwarded-parse';
import { hasAdminScope } from '../callers/admin-scopes.ts';
import { parseClientIp } from '../lib/network.ts';
import { parseAddress } from '../lib/outbound/address-policy.ts';
import { headerRejected, insufficientScope } from '../problems/challenges.ts';
import { Problem } from '../problems/problem.ts';
import { type AdminAuthenticators, findAdminCredential } from './access/authentication.ts';
import { rejectIfOverloaded } from './load-shedding.ts';
import type { Limiter } from './rate-limits/limiter.ts';
import { toLimitedRequest } from './rate-limits/rate-limits.ts';

interface ForwardingOptions extends AdminAuthenticators {
  readonly limiter: Limiter;
}

/**
 * Replaces the client of such requests; to be registered before all that counts clients. Errors: Problem
 * malformed_request, unauthorized, insufficient_scope, rate_limited_admin_fail, service_unavailable.
 */
export const forwarding = fp<ForwardingOptions>(async (app, options) => {
  app.addHook('onRequest', (request, reply, done) => {
    // Without another turn of the event loop for all other requests.
    if (request.headers['frontdesk-credential'] === undefined) return done();
    setForwardedClient(request, reply, options).then(() => done(), done);
  });
});

async function setForwardedClient(request: FastifyRequest, reply: FastifyReply, options: ForwardingOptions) {
  const { headers, ips = [], senderIp } = request;
  // Here, because the next step reads the database.
  rejectIfOverloaded(request.server);
  const authorization = `Bearer ${headers['frontdesk-credential']}`;
  const credential = await findAdminCredential({ authorization, clientIp: senderIp }, options);
  if (credential === undefined) {
    await options.limiter.credentialRejected(toLimitedRequest(request), 'admin', reply);
    throw headerRejected('Frontdesk-Credential');
  }
  if (!hasAdminScope(credential.scopes, 'clients:forward'))
    throw insufficientScope(['clients:forward'], 'admin', { kind: 'admin', credential });
  request.forwarder = credential;
  // Entries of trusted proxies follow the address from which the request came.
  request.clientIp = readForwardedIp(headers, Math.max(0, ips.length - 1));
  const userAgent = headers['frontdesk-user-agent'];
  if (userAgent !== undefined) request.userAgent = String(userAgent);
}

const REQUIRED = 'Forwarded or X-Forwarded-For is required with Frontdesk-Credential';
/** A sender in TRUST_PROXY cannot be told from a proxy: its entry would be that of a program without one. */
const ONLY_TRUSTED =
  'X-Forwarded-For has no entry before the one that is for TRUST_PROXY: a program at an address in TRUST_PROXY must send Forwarded';

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
  if (last === undefined) throw malformed(entries.length > 0 ? ONLY_TRUSTED : REQUIRED);
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
