/** Checks of a request's headers that Node's parser does not make (RFC 9112). */
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { Problem } from '../../problems/problem.ts';

/** RFC 3986 section 3.2: host and port. Commas are excluded: Node joins repeated Host fields by a comma. */
const HOST = /^(?:\[(?<ipv6>[\da-f:.]+)\]|[\w.~!$&'()*+;=%-]*)(?::(?<port>\d*))?$/i;
const MAX_PORT = 65_535;

/**
 * Returns the problem malformed_request for other versions than 1.1 and 1.0, Host (RFC 9112 section 3.2) and
 * codings (6.1).
 */
export function requestHeadProblem({ headers, httpVersion }: IncomingMessage): Problem | undefined {
  const { host, 'transfer-encoding': coding } = headers;
  const isValid = host === undefined ? httpVersion === '1.0' : isHost(host);
  const isSupported = httpVersion === '1.1' || httpVersion === '1.0';
  if (isValid && isSupported && (coding === undefined || coding.toLowerCase() === 'chunked'))
    return undefined;
  return new Problem('malformed_request', { closesConnection: true });
}

let lastValidHost = '';

function isHost(host: string): boolean {
  // Clients of one service send one Host: it is parsed when it changes.
  if (host === lastValidHost) return true;
  const found = HOST.exec(host)?.groups;
  if (found === undefined) return false;
  const { ipv6, port = '' } = found;
  if ((ipv6 !== undefined && !isIPv6(ipv6)) || Number(port) > MAX_PORT) return false;
  lastValidHost = host;
  return true;
}

/** Whether the connection has to close after the response (RFC 9112 section 6.1); bytes behind Upgrade are lost. */
export function mustClose({ headers, httpVersion }: IncomingMessage): boolean {
  return (
    (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) || headers.upgrade !== undefined
  );
}
