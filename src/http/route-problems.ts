/** The codes that an operation can return: those of its route, and those that its access and body imply. */
import type { ProblemCode } from '../problems.ts';
import { isWrite, LIMIT_PROBLEMS } from './rate-limits/limits.ts';
import { takesConsoleSession } from './request/console-request.ts';
import type { Route } from './route.ts';

/** Returned by the HTTP parser and by failures that any operation can have. */
const ALWAYS: readonly ProblemCode[] = [
  'malformed_request',
  'request_timeout',
  'payload_too_large',
  'unsupported_media_type',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
];
const WITH_BODY: readonly ProblemCode[] = ['invalid_payload', 'validation_failed'];

const IDEMPOTENT: readonly ProblemCode[] = [
  'idempotency_key_malformed',
  'idempotency_key_in_use',
  'idempotency_key_reused',
];

/** Returns each code once, in no particular order. */
export function problemsOf(route: Route): ProblemCode[] {
  const codes = new Set<ProblemCode>(ALWAYS);
  if (route.mediaType === undefined) codes.add('not_acceptable');
  if (route.method !== 'GET') codes.add('cross_site_request');
  if (route.access !== 'public') codes.add('unauthorized');
  if (takesConsoleSession(route)) codes.add('console_request_rejected');
  if (route.scope !== undefined) codes.add('insufficient_scope');
  if (route.isOpenTo !== undefined) codes.add('forbidden');
  if (route.body !== undefined) for (const code of WITH_BODY) codes.add(code);
  // Of query parameters that the operation does not know.
  if (route.access === 'admin' || route.access === 'optional') codes.add('validation_failed');
  if (route.deprecation !== undefined) codes.add('gone');
  if (route.idempotent) for (const code of IDEMPOTENT) codes.add(code);
  if (route.params !== undefined) codes.add('invalid_path').add('not_found');
  for (const code of limitProblems(route)) codes.add(code);
  for (const code of route.problems ?? []) codes.add(code);
  return [...codes];
}

function limitProblems(route: Route): ProblemCode[] {
  if (route.limits === 'none') return [];
  const codes: ProblemCode[] = route.access === 'public' ? [] : ['rate_limited_anon'];
  if (route.access === 'optional' || route.access === 'user') {
    codes.push('rate_limited_user');
    if (isWrite(route)) codes.push('rate_limited_write');
  }
  if (route.access === 'admin' || route.access === 'optional') codes.push('rate_limited_admin_fail');
  const own = route.limits ?? ['anon'];
  return [...codes, ...[...own, ...(route.userLimits ?? [])].map((name) => LIMIT_PROBLEMS[name])];
}
