/** Cross-origin requests of applications that are pages (WHATWG Fetch): of the origins of redirect URIs. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../database/database.ts';
import { corsHeaders } from '../../plugins/cors/cors.ts';
import { listApplications } from '../applications/queries.ts';
import { hasOrigin } from '../applications/redirect-uris.ts';

/** Creates the function that lets a page read the response, and send its headers, if an application has it as an origin. */
export function createAllowOrigin({ database }: { readonly database: Database }) {
  return async ({ headers: { origin } }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const vary = String(reply.getHeader('vary'));
    if (!/\bOrigin\b/.test(vary)) reply.header('vary', `${vary}, Origin`);
    if (origin === undefined || reply.hasHeader('access-control-allow-origin')) return;
    const applications = await listApplications(database);
    if (!applications.some(({ redirect_uris }) => hasOrigin(redirect_uris, origin))) return;
    reply.headers({
      ...corsHeaders(origin),
      'access-control-allow-headers': 'Authorization, Content-Type',
      'access-control-max-age': '600',
    });
  };
}
