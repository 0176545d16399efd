/** The base URL of the service in the links that other services compare: the issuer, and redirect URIs. */
import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../problems/problem.ts';

const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * Returns PUBLIC_URL without a trailing slash. Without one, the origin of a request on this machine: another Host could be
 * chosen by the sender. @throws Problem forbidden
 */
export function getServiceOrigin(publicUrl: string, { host = '' }: IncomingHttpHeaders): string {
  if (publicUrl !== '') return publicUrl.replace(/\/$/, '');
  if (LOOPBACK_HOST.test(host)) return `http://${host}`;
  throw new Problem('forbidden', { text: 'Sign-in at other services needs PUBLIC_URL' });
}
