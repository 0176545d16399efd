/** Authorization requests (RFC 6749 section 4.1.1, OpenID Connect Core 1.0 section 3.1.2.1): pure functions. */
import { addParameters } from '../../applications/redirect-uris.ts';
import type { Parameters } from '../parameters.ts';

/** Base64url of SHA-256 (RFC 7636 section 4.2). */
const CHALLENGE = /^[\w-]{43}$/;
/** Longer values would only fill the database. */
const MAX_LENGTH = 1_024;
const PROMPTS = ['none', 'login', 'create', 'consent', 'select_account'];

/** Returns the first error of a request, whose client and redirect URI were checked before; null if it is valid. */
export function findRequestError(parameters: Parameters) {
  const { response_type, response_mode = 'query', code_challenge = '', code_challenge_method } = parameters;
  const { request, request_uri, state = '', nonce = '', prompt, max_age = '0' } = parameters;
  const prompts = readPrompts(prompt);
  const error = (error: string, error_description: string) => ({ error, error_description });
  const invalid = (description: string) => error('invalid_request', description);
  if (request !== undefined) return error('request_not_supported', 'request is not supported');
  if (request_uri !== undefined) return error('request_uri_not_supported', 'request_uri is not supported');
  if (response_type === undefined) return invalid('response_type is required');
  if (response_type !== 'code') return error('unsupported_response_type', 'response_type must be code');
  if (response_mode !== 'query') return invalid('response_mode must be query');
  if (code_challenge_method !== 'S256') return invalid('code_challenge_method must be S256');
  if (!CHALLENGE.test(code_challenge)) return invalid('code_challenge must be a SHA-256 in base64url');
  if (Math.max(state.length, nonce.length) > MAX_LENGTH) return invalid('state or nonce is too long');
  if (!/^\d{1,9}$/.test(max_age)) return invalid('max_age must be a number of seconds');
  if (prompts.some((value) => !PROMPTS.includes(value))) return invalid('prompt is unknown');
  if (prompts.includes('none') && prompts.length > 1) return invalid('prompt none excludes others');
  return null;
}

export function readPrompts(prompt = ''): string[] {
  return prompt.split(' ').filter((value) => value !== '');
}

/**
 * Whether the request accepts a session whose person signed in at this time. `requested_at`, which the service adds to a
 * request that demands another sign-in, is the second from which one suffices.
 */
export function acceptsSession(parameters: Parameters, authenticatedAt: number, now: number): boolean {
  const { prompt, max_age, requested_at = '' } = parameters;
  const prompts = readPrompts(prompt);
  const signedInAt = Math.floor(authenticatedAt / 1000);
  if (prompts.includes('create')) return false;
  if (/^\d{1,12}$/.test(requested_at) && signedInAt >= Number(requested_at)) return true;
  if (prompts.includes('login') || prompts.includes('select_account')) return false;
  return max_age === undefined || Math.floor(now / 1000) - signedInAt <= Number(max_age);
}

/** Returns the path with the page that precedes the request: the sign-in, or the registration, from which it is repeated. */
export function toSignInPath(parameters: Parameters, now: number): string {
  const { prompt, login_hint, ui_locales } = parameters;
  const isNew = readPrompts(prompt).includes('create');
  const change = isNew ? { prompt: undefined } : { requested_at: String(Math.floor(now / 1000)) };
  return addParameters(isNew ? '/sign-up' : '/sign-in', {
    return_to: addParameters('/oauth/authorize', { ...parameters, ...change }),
    login_hint,
    lang: ui_locales?.split(' ')[0],
  });
}
