/** Cross-origin requests of applications that are pages (WHATWG Fetch): of the origins of redirect URIs. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../database/database.ts';
import { cached } from '../../lib/cached.ts';
import type { MonotonicClock } from '../../lib/time/clock.ts';
import { corsHeaders } from '../../plugins/cors/cors.ts';
import { listApplications } from '../applications/queries.ts';
import { includesUri, listOrigins } from '../applications/redirect-uris.ts';

/** It runs before the limits of requests: a flood reads the database once a second. */
const CACHE_MS = 1_000;

export interface OriginDeps {
  readonly database: Database;
  readonly monotonicClock: MonotonicClock;
}

/** Creates the function that lets a page read the response, and send its headers, if an application has it as an origin. */
export function createAllowOrigin(deps: OriginDeps) {
  const listAll = async () =>
    (await listApplications(deps.database)).flatMap(({ redirect_uris }) => listOrigins(redirect_uris));
  const findOrigins = cached(listAll, { ...deps, lifetimeMs: CACHE_MS });
  return async ({ headers: { origin } }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const vary = String(reply.getHeader('vary'));
    if (!/\bOrigin\b/.test(vary)) reply.header('vary', `${vary}, Origin`);
    if (origin === undefined || reply.hasHeader('access-control-allow-origin')) return;
    if (!includesUri(await findOrigins(), origin)) return;
    reply.headers({
      ...corsHeaders(origin),
      'access-control-allow-headers': 'Authorization, Content-Type',
      'access-control-max-age': '600',
    });
  };
}
