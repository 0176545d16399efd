/** Authorization requests (RFC 6749 section 4.1.1, OpenID Connect Core 1.0 section 3.1.2.1): pure functions. */
import { HOUR } from '../../lib/time.ts';
import type { ApplicationRow } from '../applications/application.ts';
import { addParameters } from '../applications/redirect-uris.ts';
import { type Parameters, selectScopes } from './parameters.ts';

/** Base64url of SHA-256 (RFC 7636 section 4.2). */
const CHALLENGE = /^[\w-]{43}$/;
/** Longer values would only fill the database. */
const MAX_LENGTH = 1_024;
export const PROMPTS = ['none', 'login', 'create', 'consent', 'select_account'];

/** Returns the first error of a request, whose client and redirect URI were checked before; null if it is valid. */
export function findRequestError(parameters: Parameters, application: RequestRules) {
  const { response_type, response_mode = 'query' } = parameters;
  const { request, request_uri, state = '', nonce = '', prompt, max_age = '0' } = parameters;
  const prompts = readPrompts(prompt);
  const error = (error: string, error_description: string) => ({ error, error_description });
  const invalid = (description: string) => error('invalid_request', description);
  if (request !== undefined) return error('request_not_supported', 'request is not supported');
  if (request_uri !== undefined) return error('request_uri_not_supported', 'request_uri is not supported');
  if (response_type === undefined) return invalid('response_type is required');
  if (response_type !== 'code') return error('unsupported_response_type', 'response_type must be code');
  if (response_mode !== 'query') return invalid('response_mode must be query');
  const pkceError = findPkceError(parameters, application);
  if (pkceError !== null) return invalid(pkceError);
  if (Math.max(state.length, nonce.length) > MAX_LENGTH) return invalid('state or nonce is too long');
  if (!/^\d{1,9}$/.test(max_age)) return invalid('max_age must be a number of seconds');
  if (prompts.some((value) => !PROMPTS.includes(value))) return invalid('prompt is unknown');
  if (parameters.scope !== undefined && selectScopes(parameters.scope, application) === '')
    return error('invalid_scope', 'scope has none that the application may have');
  if (prompts.includes('none') && prompts.length > 1) return invalid('prompt none excludes others');
  return null;
}

type RequestRules = Pick<ApplicationRow, 'kind' | 'refresh' | 'require_pkce' | 'scopes'>;

/**
 * Requires PKCE, or of applications with a secret a nonce, which protects the code as well (RFC 9700 section 2.1.1): the
 * ID token has it, and so the request needs the scope `openid`.
 */
function findPkceError(parameters: Parameters, { kind, require_pkce }: RequestRules): string | null {
  const { code_challenge: challenge, code_challenge_method: method, nonce, scope } = parameters;
  if (challenge === undefined && method === undefined) {
    const isNonceEnough = kind === 'web' && require_pkce === 0;
    if (isNonceEnough && nonce !== undefined && scope?.split(' ').includes('openid')) return null;
    const other = isNonceEnough ? ', or a nonce with the scope openid' : '';
    return `PKCE is required: send code_challenge and code_challenge_method=S256${other}`;
  }
  if (method !== 'S256') return 'code_challenge_method must be S256';
  return CHALLENGE.test(challenge ?? '') ? null : 'code_challenge must be a SHA-256 in base64url';
}

export const readPrompts = (prompt = ''): string[] => prompt.split(' ').filter((value) => value !== '');

/** Time for a sign-in. Later, `requested_at` would accept a session that is old by then. */
const MAX_REQUEST_AGE_MS = HOUR;

/** Returns an HMAC by the key of this service for authorization requests. */
export type SignRequest = (text: string) => string;

/**
 * Whether the request accepts a session whose person signed in at this time (epoch milliseconds). `max_age=0` is
 * `prompt=login`. A sign-in after the `requested_at` of this service, within an hour, suffices in any case.
 */
export function acceptsSession(
  parameters: Parameters,
  authenticatedAt: number,
  { now, sign }: { readonly now: number; readonly sign: SignRequest },
): boolean {
  const { prompt, max_age } = parameters;
  const prompts = readPrompts(prompt);
  if (prompts.includes('create')) return false;
  const requestedAt = readRequestedAt(parameters, sign);
  if (authenticatedAt > requestedAt && requestedAt > now - MAX_REQUEST_AGE_MS) return true;
  if (prompts.includes('login') || prompts.includes('select_account')) return false;
  if (max_age === undefined) return true;
  const age = Math.floor(now / 1000) - Math.floor(authenticatedAt / 1000);
  return Number(max_age) > 0 && age <= Number(max_age);
}

/** Returns the path with the page that precedes the request: the sign-in, or the registration, from which it is repeated. */
export function toSignInPath(
  parameters: Parameters,
  lang: string | null,
  { now, sign }: { readonly now: number; readonly sign: SignRequest },
): string {
  const { prompt, login_hint } = parameters;
  const prompts = readPrompts(prompt);
  const isNew = prompts.includes('create');
  const others = prompts.filter((value) => value !== 'create').join(' ');
  const request = { ...parameters, prompt: others === '' ? undefined : others };
  const requested_at = writeRequestedAt(request, now, sign);
  return addParameters(isNew ? '/sign-up' : '/sign-in', {
    return_to: addParameters('/oauth/authorize', { ...request, requested_at }),
    login_hint,
    lang: lang ?? undefined,
  });
}

/**
 * Returns a parameter with the time, which counts for this request only and cannot be written by anybody else. A person
 * may choose another language.
 */
function writeRequestedAt(parameters: Parameters, time: number, sign: SignRequest): string {
  const others = { ...parameters, requested_at: undefined, ui_locales: undefined };
  const request = Object.entries(others).filter(([, value]) => value);
  return `${time}.${sign(JSON.stringify([time, request.sort()]))}`;
}

/** Returns the time of `requested_at`; infinity without one that this service has written for the request. */
function readRequestedAt(parameters: Parameters, sign: SignRequest): number {
  const { requested_at = '' } = parameters;
  const time = Number.parseInt(requested_at, 10);
  return requested_at === writeRequestedAt(parameters, time, sign) ? time : Number.POSITIVE_INFINITY;
}
