/** Authorization requests (RFC 6749 section 4.1.1, OpenID Connect Core 1.0 section 3.1.2.1): pure functions. */
import type { Parameters } from '../parameters.ts';

/** Base64url of SHA-256 (RFC 7636 section 4.2). */
const CHALLENGE = /^[\w-]{43}$/;
/** Longer values would only fill the database. */
const MAX_LENGTH = 1_024;
const PROMPTS = ['none', 'login', 'create', 'consent', 'select_account'];

/** An error of which the application is told by a redirect. */
export interface RequestError {
  readonly error: string;
  readonly error_description: string;
}

/** The first rule that a request breaks; null if it is valid. The client and the redirect URI were checked before. */
export function findRequestError(parameters: Parameters, hasDuplicates: boolean): RequestError | null {
  const { response_type, response_mode, code_challenge = '', code_challenge_method } = parameters;
  const { request, request_uri, state = '', nonce = '', prompt, max_age } = parameters;
  const invalid = (error_description: string) => ({ error: 'invalid_request', error_description });
  if (hasDuplicates) return invalid('A parameter occurs twice');
  if (request !== undefined) return { error: 'request_not_supported', error_description: 'Without request' };
  if (request_uri !== undefined)
    return { error: 'request_uri_not_supported', error_description: 'Without request_uri' };
  if (response_type === undefined) return invalid('response_type is required');
  if (response_type !== 'code')
    return { error: 'unsupported_response_type', error_description: 'response_type must be code' };
  if (![undefined, 'query'].includes(response_mode)) return invalid('response_mode must be query');
  if (code_challenge_method !== 'S256') return invalid('code_challenge_method must be S256');
  if (!CHALLENGE.test(code_challenge)) return invalid('code_challenge must be a SHA-256 in base64url');
  if (Math.max(state.length, nonce.length) > MAX_LENGTH) return invalid('state or nonce is too long');
  if (max_age !== undefined && !/^\d{1,9}$/.test(max_age)) return invalid('max_age must be an integer');
  const prompts = readPrompts(prompt);
  if (prompts.some((value) => !PROMPTS.includes(value))) return invalid('prompt is unknown');
  if (prompts.includes('none') && prompts.length > 1) return invalid('prompt none stands alone');
  return null;
}

export function readPrompts(prompt: string | undefined): string[] {
  return prompt?.split(' ').filter((value) => value !== '') ?? [];
}

/**
 * Whether the request accepts a session whose person signed in at this time. `requested_at`, which the service adds to a
 * request that demands another sign-in, is the second from which one suffices.
 */
export function acceptsSession(parameters: Parameters, authenticatedAt: number, now: number): boolean {
  const { prompt, max_age, requested_at = '' } = parameters;
  const signedInAt = Math.floor(authenticatedAt / 1000);
  if (/^\d{1,12}$/.test(requested_at) && signedInAt >= Number(requested_at)) return true;
  if (readPrompts(prompt).some((value) => value === 'login' || value === 'select_account')) return false;
  return max_age === undefined || Math.floor(now / 1000) - signedInAt <= Number(max_age);
}

/** Returns the path with the page that precedes the request: the sign-in, or the registration, from which it is repeated. */
export function toSignInPath(parameters: Parameters, now: number): string {
  const { prompt, login_hint, ui_locales } = parameters;
  const isNew = readPrompts(prompt).includes('create');
  const { prompt: _, ...withoutPrompt } = parameters;
  const repeated = isNew ? withoutPrompt : { ...parameters, requested_at: String(Math.floor(now / 1000)) };
  const lang = ui_locales?.split(' ')[0];
  const query = new URLSearchParams({
    return_to: `/oauth/authorize?${toQuery(repeated)}`,
    ...(login_hint === undefined ? {} : { login_hint }),
    ...(lang === undefined ? {} : { lang }),
  });
  return `${isNew ? '/sign-up' : '/sign-in'}?${query}`;
}

/** Returns the parameters as a query. */
export function toQuery(parameters: Parameters): string {
  return new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ).toString();
}
