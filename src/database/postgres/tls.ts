/** Whether a connection to PostgreSQL leaves the machine without TLS. */
import ipaddr from 'ipaddr.js';
import pg from 'pg';

/** Whether the driver, which also reads PGSSLMODE, connects to another host without TLS for this URL. */
export function connectsWithoutTls(url: string): boolean {
  const { host, ssl } = new pg.Client({ connectionString: url });
  return !ssl && !isThisMachine(host);
}

/** A directory contains the socket of the server. */
function isThisMachine(host: string): boolean {
  if (host.startsWith('/') || /(^|\.)localhost\.?$/i.test(host)) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}
