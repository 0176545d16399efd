/**
 * Requests that a program sends for somebody else, with a credential of its own in `Frontdesk-Credential`: they are
 * counted, recorded and recognised under the address and the user agent that the program forwards.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { hasAdminScope } from '../../callers/admin-scopes.ts';
import { headerRejected, insufficientScope } from '../../problems/challenges.ts';
import {
  type AdminAuthenticators,
  findAdminCredential,
  rejectConsoleOnly,
} from '../access/authentication.ts';
import { rejectIfOverloaded } from '../load-shedding/load-shedding.ts';
import type { Limiter } from '../rate-limits/limiter.ts';
import { toLimitedRequest } from '../rate-limits/rate-limits.ts';
import { readForwardedIp } from './forwarded-ip.ts';

export interface ForwardingOptions extends AdminAuthenticators {
  readonly limiter: Limiter;
}

/**
 * Replaces the client of such requests; to be registered before all that counts clients. The credential is accepted
 * from its networks only, by the address from which the request came; wrong ones are counted under that. Errors:
 * Problem malformed_request, unauthorized, credential_console_only, insufficient_scope, rate_limited_admin_fail,
 * service_unavailable.
 */
export const forwarding = fp<ForwardingOptions>(async (app, options) => {
  app.addHook('onRequest', (request, reply, done) => {
    // Without another turn of the event loop for all other requests.
    if (request.headers['frontdesk-credential'] === undefined) return done();
    setForwardedClient(request, reply, options).then(() => done(), done);
  });
});

async function setForwardedClient(
  request: FastifyRequest,
  reply: FastifyReply,
  options: ForwardingOptions,
): Promise<void> {
  const { headers, ips = [], senderIp } = request;
  // Here, because the next step reads the database.
  rejectIfOverloaded(request.server);
  const authorization = `Bearer ${headers['frontdesk-credential']}`;
  const credential = await findAdminCredential({ authorization, clientIp: senderIp }, options);
  if (credential === undefined) {
    await options.limiter.credentialRejected(toLimitedRequest(request), 'admin', reply);
    throw headerRejected('Frontdesk-Credential');
  }
  rejectConsoleOnly(credential);
  if (!hasAdminScope(credential.scopes, 'clients:forward'))
    throw insufficientScope(['clients:forward'], 'admin', { kind: 'admin', credential });
  request.forwarder = credential;
  // Entries of trusted proxies follow the address from which the request came.
  request.clientIp = readForwardedIp(headers, Math.max(0, ips.length - 1));
  const userAgent = headers['frontdesk-user-agent'];
  if (userAgent !== undefined) request.userAgent = String(userAgent);
}
