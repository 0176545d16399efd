/** Whether a connection to PostgreSQL leaves the machine without TLS. */
import ipaddr from 'ipaddr.js';
import pg from 'pg';

/**
 * Whether the driver connects to another host without TLS for this URL. The driver decides instead of the URL,
 * because its parameters and PGSSLMODE have a part in it. Encryption without verification of the server counts as TLS.
 */
export function connectsWithoutTls(url: string): boolean {
  const { host, ssl } = new pg.Client({ connectionString: url });
  return !ssl && !isThisMachine(host);
}

/** A directory contains the socket of the server. */
function isThisMachine(host: string): boolean {
  if (host.startsWith('/') || /(^|\.)localhost\.?$/i.test(host)) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}
