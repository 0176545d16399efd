/** Cross-origin requests of applications that are pages (WHATWG Fetch): of the origins of redirect URIs. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../database/database.ts';
import { cached } from '../../lib/queues/shared-work.ts';
import type { MonotonicClock } from '../../lib/time.ts';
import { allowRequestedHeaders, corsHeaders } from '../../plugins/cors.ts';
import { listApplications } from '../applications/queries.ts';
import { includesUri, listOrigins } from '../applications/redirect-uris.ts';

/** It runs before the limits of requests: a flood reads the database once a second. */
const CACHE_MS = 1_000;

export interface OriginDeps {
  readonly database: Database;
  readonly monotonicClock: MonotonicClock;
}

/**
 * Creates the function that lets a page read the response, and send its headers, if an application has it as an origin.
 * `further` headers are added for it.
 */
export function createAllowOrigin(deps: OriginDeps) {
  const listAll = async () =>
    (await listApplications(deps.database)).map(({ redirect_uris, kind }) => ({
      kind,
      origins: listOrigins(redirect_uris),
    }));
  const listApplicationOrigins = cached(listAll, { ...deps, lifetimeMs: CACHE_MS });
  return (further: object = {}) =>
    async ({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const { origin } = headers;
      const vary = String(reply.getHeader('vary'));
      if (!/\bOrigin\b/.test(vary)) reply.header('vary', `${vary}, Origin`);
      if (origin === undefined) return;
      const applications = await listApplicationOrigins();
      if (!applications.some(({ origins, kind }) => includesUri(origins, origin, kind))) return;
      reply.headers({ ...corsHeaders(origin), ...allowRequestedHeaders(headers), ...further });
    };
}
