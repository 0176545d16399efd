/** Results of attempts in words. */
import type { WebhookDelivery } from '../../common/api-types.ts';

export type Attempt = WebhookDelivery['attempts'][number];

const ERRORS: Readonly<Record<string, string>> = {
  timeout: 'no response in time',
  dns: 'the name has no address',
  address_not_allowed: 'the address is not allowed',
  refused: 'connection refused',
  unreachable: 'unreachable',
  reset: 'connection reset',
  tls: 'certificate not accepted',
  redirect: 'redirects are not followed',
  too_large: 'response too large',
  invalid_response: 'not a response of HTTP',
  aborted: 'interrupted',
  secret_unreadable: 'the secret cannot be decrypted',
};

/** Statuses of which administrators of receivers may not know the meaning by heart. */
const STATUSES: Readonly<Record<string, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  410: 'Gone',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

export function formatStatus(status: number): string {
  return [status, STATUSES[status]].filter(Boolean).join(' ');
}

export function formatResult({ status, error }: Pick<Attempt, 'status' | 'error'>): string {
  const text = error === null ? '' : (ERRORS[error] ?? error);
  return [status !== null && formatStatus(status), text].filter(Boolean).join(', ') || 'no response';
}

/** Formats the last error of a webhook: a status, or why there was none. */
export function formatLastError(error: string): string {
  return STATUSES[error] === undefined ? (ERRORS[error] ?? error) : `${error} ${STATUSES[error]}`;
}

export function isSuccess({ status, error }: Pick<Attempt, 'status' | 'error'>): boolean {
  return error === null && status !== null && status >= 200 && status < 300;
}
