/** Rejection of requests that a page of another site makes a browser send (Fetch Metadata Request Headers, W3C). */
import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../problems/problem.ts';
import { isListedOrigin } from '../cors/cors.ts';

/** Methods that change nothing (RFC 9110 section 9.2.1). */
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * CORS only keeps such a page from reading responses: a form, or a script with `mode: 'no-cors'`, could still create
 * records from the networks of its visitors. Only browsers send Sec-Fetch-Site, and no page can change it.
 * @throws Problem cross_site_request
 */
export function rejectCrossSite(
  method: string,
  { origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  corsOrigins: readonly string[],
): void {
  if (site !== 'cross-site' || SAFE_METHODS.includes(method) || isListedOrigin(corsOrigins, origin)) return;
  throw new Problem('cross_site_request');
}
