/** Rejection of requests that a page of another site makes a browser send (Fetch Metadata Request Headers, W3C). */
import type { IncomingHttpHeaders } from 'node:http';
import fp from 'fastify-plugin';
import { Problem } from '../../problems/problem.ts';
import { isListedOrigin } from '../cors/cors.ts';

/** Methods that change nothing (RFC 9110 section 9.2.1). */
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

export interface CrossSiteOptions {
  /** Origins whose pages may send requests from other sites. */
  readonly corsOrigins: readonly string[];
}

/**
 * CORS only keeps such a page from reading responses: a form, or a script with `mode: 'no-cors'`, could still create
 * records from the networks of its visitors. Only browsers send Sec-Fetch-Site, and no page can change it.
 * Errors: Problem cross_site_request.
 */
export const crossSiteRequests = fp<CrossSiteOptions>(async (app, { corsOrigins }) => {
  app.addHook('onRequest', ({ method, headers }, _reply, done) => {
    done(isCrossSite(method, headers, corsOrigins) ? new Problem('cross_site_request') : undefined);
  });
});

/** Whether the request could change something, and a page of an origin that is not listed has sent it. */
export function isCrossSite(
  method: string,
  { origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  corsOrigins: readonly string[],
): boolean {
  return site === 'cross-site' && !SAFE_METHODS.includes(method) && !isListedOrigin(corsOrigins, origin);
}
