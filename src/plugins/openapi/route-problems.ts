/** The error codes of an operation: those of its route, and those implied by its access and body. */
import type { FastifyContextConfig, FastifySchema, RouteOptions } from 'fastify';
import { type AccessRule, getAdminScope, getUserScope } from '../../callers/callers.ts';
import type { JsonSchema } from '../../lib/schema/json-schema.ts';
import type { ProblemCode } from '../../problems/problem.ts';
import { getCredentialLimits, isWrite, toLimitProblem } from '../../rate-limits/limits.ts';
import { acceptsConsoleSession } from '../access/console-request.ts';
import { optionalBody } from '../bodies/json-bodies.ts';

export interface DescribedRoute {
  readonly method: string;
  readonly config: FastifyContextConfig;
  readonly schema: FastifySchema;
  /** Whether a request may have no body. */
  readonly hasOptionalBody: boolean;
}

export function toDescribedRoute(route: RouteOptions): DescribedRoute {
  const { method, config = {}, schema = {}, preValidation } = route;
  const hooks: unknown[] = [preValidation].flat();
  return { method: String(method), config, schema, hasOptionalBody: hooks.includes(optionalBody) };
}

/** Whether responses are JSON of the API, perhaps beside other media types. */
function isJsonRoute({ schema }: Pick<DescribedRoute, 'schema'>): boolean {
  const responses = Object.values((schema.response ?? {}) as Record<string, { content?: object }>);
  return responses.every(({ content }) => content === undefined || 'application/json' in content);
}

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
/** Codes of errors that depend on how a request is sent, and not on the operation. */
export const COMMON_CODES: ReadonlySet<ProblemCode> = new Set([
  ...ALWAYS,
  'not_acceptable',
  'cross_site_request',
  'console_request_rejected',
  'role_required',
  'role_second_factor_required',
] as const);

const WITH_BODY: readonly ProblemCode[] = ['invalid_payload', 'validation_failed'];

const IDEMPOTENT: readonly ProblemCode[] = [
  'idempotency_key_malformed',
  'idempotency_key_in_use',
  'idempotency_key_reused',
];

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Problems of this operation, besides those of its access, its inputs and the service as a whole. */
    readonly problems?: readonly ProblemCode[];
  }
}

export function findProblems(route: DescribedRoute): ProblemCode[] {
  const { method, schema, config } = route;
  const rule = config as AccessRule;
  const codes = new Set<ProblemCode>(ALWAYS);
  if (isJsonRoute(route)) codes.add('not_acceptable');
  if (method !== 'GET') codes.add('cross_site_request');
  if (rule.access !== 'public') codes.add('unauthorized');
  if (acceptsConsoleSession(rule))
    codes.add('console_request_rejected').add('role_required').add('role_second_factor_required');
  if (rule.recentSignIn !== undefined) codes.add('recent_sign_in_required');
  const scopes = [getUserScope(rule), getAdminScope(rule)];
  if (scopes.some((scope) => scope !== undefined && scope !== 'any')) codes.add('insufficient_scope');
  // Of query parameters that the operation does not know.
  if (acceptsConsoleSession(rule)) codes.add('validation_failed');
  if (config.isOpenTo !== undefined) codes.add('forbidden');
  if (schema.body !== undefined) for (const code of WITH_BODY) codes.add(code);
  if (config.idempotent) for (const code of IDEMPOTENT) codes.add(code);
  if (schema.params !== undefined) codes.add('invalid_path').add('not_found');
  for (const code of findLimitProblems(route)) codes.add(code);
  for (const code of [...(config.problems ?? []), ...findInputProblems(schema)]) codes.add(code);
  return [...codes];
}

/** Problems of `If-Match`, and of the parameters of pages. */
function findInputProblems({ headers, querystring }: FastifySchema): ProblemCode[] {
  const { properties: header = {}, required = [] } = (headers ?? {}) as JsonSchema;
  const { properties: query = {} } = (querystring ?? {}) as JsonSchema;
  const codes: ProblemCode[] = 'If-Match' in header ? ['precondition_failed'] : [];
  if (required.length > 0) codes.push('precondition_required');
  if ('limit' in query) codes.push('invalid_limit');
  if ('cursor' in query) codes.push('invalid_cursor');
  return codes;
}

function findLimitProblems({ method, config }: DescribedRoute): ProblemCode[] {
  const { access, limits = ['anon'], userLimits = [] } = config;
  if (limits === 'none') return [];
  const codes: ProblemCode[] = access === 'public' ? [] : ['rate_limited_anon'];
  if (access === 'optional' || access === 'user') {
    codes.push('rate_limited_user');
    if (isWrite({ method })) codes.push('rate_limited_write');
  }
  const isOpenToAdmins = access === 'admin' || access === 'optional';
  if (isOpenToAdmins) codes.push('rate_limited_admin_fail');
  const credentialLimits = isOpenToAdmins ? getCredentialLimits({ ...config, method }) : [];
  return [...codes, ...[...limits, ...userLimits, ...credentialLimits].map(toLimitProblem)];
}
