/** Cross-origin requests of applications that are pages (WHATWG Fetch): of the origins of redirect URIs. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../database/database.ts';
import { listRedirectUris } from '../applications/queries.ts';
import { isRegistered, listOrigins } from '../applications/redirect-uris.ts';

/** Creates the function that lets a page read the response if an application has it as an origin. */
export function createAllowOrigin({ database }: { readonly database: Database }) {
  return async ({ headers: { origin } }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const vary = String(reply.getHeader('vary'));
    if (!/\bOrigin\b/.test(vary)) reply.header('vary', `${vary}, Origin`);
    if (origin === undefined || reply.hasHeader('access-control-allow-origin')) return;
    const rows = await listRedirectUris(database);
    const isKnown = rows.some(({ redirect_uris }) =>
      isRegistered(listOrigins(JSON.parse(redirect_uris)), origin, 'web'),
    );
    if (isKnown) reply.header('access-control-allow-origin', origin);
  };
}

/** Headers of the response to a preflight, besides Allow. */
export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'Authorization, Content-Type',
  'access-control-max-age': '600',
};
