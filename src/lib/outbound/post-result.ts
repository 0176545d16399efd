/** Reasons why a request had no complete response. Stored and public: they never change their meaning. */
import { AddressNotPermitted, NameNotResolved } from './guarded-connector.ts';

export const POST_ERRORS = [
  'timeout',
  'dns',
  'address_not_allowed',
  'refused',
  'unreachable',
  /** The connection was closed before the end of the response. */
  'reset',
  /** No TLS connection, or a certificate that is not valid for the host. */
  'tls',
  'redirect',
  /** The head of the response is larger than 16 KiB. */
  'too_large',
  'invalid_response',
  'aborted',
  'failed',
] as const;
export type PostError = (typeof POST_ERRORS)[number];

const BY_CODE: Readonly<Record<string, PostError>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'invalid_response',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
};

/** Names of errors of certificates, which OpenSSL has given, and of the TLS protocol. */
const TLS_CODE = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO$)/;

export function toPostError(error: unknown): PostError {
  if (!(error instanceof Error)) return 'failed';
  if (error instanceof AddressNotPermitted) return 'address_not_allowed';
  if (error instanceof NameNotResolved) return 'dns';
  if (error.name === 'TimeoutError') return 'timeout';
  if (error.name === 'AbortError') return 'aborted';
  // Not all of these errors have a code.
  if (error.name === 'HTTPParserError') return 'invalid_response';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (TLS_CODE.test(code)) return 'tls';
  // If a name has several addresses, the last attempt tells most.
  if (error instanceof AggregateError) return toPostError(error.errors.at(-1));
  return BY_CODE[code] ?? 'failed';
}
