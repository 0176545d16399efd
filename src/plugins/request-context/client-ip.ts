/** The network address of the client, also behind reverse proxies. */
import proxyAddress from '@fastify/proxy-addr';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { parseClientIp } from '../../lib/network.ts';

/** Returns Fastify's `trustProxy` for these addresses and networks; false when there are none. */
export function trustProxyOption(
  trusted: readonly string[],
): false | ((address: string, hop: number) => boolean) {
  if (trusted.length === 0) return false;
  const isTrusted = proxyAddress.compile([...trusted]);
  return (address, hop) => isTrusted(parseClientIp(address), hop);
}

/** Creates the function that returns the client's IP address: empty when the client has disconnected already. */
export function clientIpReader(trusted: readonly string[]): (request: FastifyRequest) => string {
  if (trusted.length === 0) return ({ socket }) => socket.remoteAddress ?? '';
  // Some gateways add a port: each port would count as another client.
  return (request) => parseClientIp(request.ip ?? '');
}

/** Warns once about X-Forwarded-For from a proxy that is not trusted: all clients would share one rate limit. */
export function createProxyWarning(logger: Logger, trusted: readonly string[]): () => void {
  let hasWarned = trusted.length > 0;
  return () => {
    if (hasWarned) return;
    hasWarned = true;
    logger.warn('X-Forwarded-For is ignored: if there is a reverse proxy in front, name it in TRUST_PROXY');
  };
}
