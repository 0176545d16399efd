/**
 * What a route says of itself. The tables of routes are the security policy: who may call stands in each
 * entry, and there is no default.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Tx } from '../database/database.ts';
import type { Static, TSchema } from '../lib/schema.ts';
import type { Problem, ProblemCode } from '../problems.ts';
import type { AdvertisedLimit } from './rate-limits/limits.ts';
import type { Deprecation } from './response/deprecation.ts';

/**
 * public: credentials are not looked at. optional: anonymous, a user or the administrator; a bad credential
 * is refused. user: a user's token. admin: the administrator's credential.
 */
export type Access = 'public' | 'optional' | 'user' | 'admin';

export type Scope = 'self:read' | 'self:write' | 'tokens:manage';

export interface AnonymousCaller {
  readonly kind: 'anonymous';
}
export interface AdminCaller {
  readonly kind: 'admin';
}
export interface UserCaller {
  readonly kind: 'user';
  readonly userId: string;
  readonly tokenId: string;
  readonly tokenHash: string;
  readonly scopes: readonly string[];
  /** Epoch milliseconds, as stored when the request came. */
  readonly tokenLastUsedAt: number | null;
}
export type Caller = AnonymousCaller | UserCaller | AdminCaller;

export const ANONYMOUS: AnonymousCaller = { kind: 'anonymous' };

type CallerOf<A extends Access> = A extends 'user'
  ? UserCaller
  : A extends 'admin'
    ? AdminCaller
    : A extends 'public'
      ? AnonymousCaller
      : Caller;

export interface HandlerContext<A extends Access = Access, P = unknown, B = unknown> {
  readonly caller: CallerOf<A>;
  readonly params: P;
  /** As parsed: a repeated parameter is a list. */
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  /** Checked and trimmed; members that the schema does not name are gone. */
  readonly body: B;
  readonly headers: IncomingHttpHeaders;
  /** The client's network address. */
  readonly address: string;
  /**
   * Runs the effect of the request in one transaction; where a route is idempotent, its answer is stored in
   * the same one. Slow work comes before. `work` may run again when the engine asks for a retry.
   */
  readonly commit: (work: (tx: Tx) => Promise<HandlerResponse>) => Promise<HandlerResponse>;
}

export interface HandlerResponse {
  readonly status: number;
  /** In lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** What the answer makes possible: when it goes, a stored copy of the answer goes with it. */
  readonly createdResources?: { readonly userId?: string; readonly tokenHash?: string };
}

/** An answer as it is sent. */
export interface SerializedResponse {
  readonly status: number;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface ResponseDescription {
  readonly description: string;
  readonly schema?: TSchema;
  readonly headers?: Readonly<Record<string, string>>;
  readonly examples?: Readonly<Record<string, unknown>>;
}

interface RouteBase {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `{name}` for parameters, as OpenAPI writes it. */
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** What the user's token must be allowed to do. */
  readonly scope?: Scope;
  /** Whether the operator has opened the route to this caller; 403 where not. */
  readonly isOpenTo?: (caller: Caller) => boolean;
  readonly query?: Readonly<Record<string, TSchema>>;
  readonly headers?: Readonly<Record<string, TSchema>>;
  readonly params?: TSchema;
  readonly body?: TSchema;
  /** Where the rules depend on who calls; `body` then describes all of it. */
  readonly bodyFor?: (caller: Caller) => TSchema;
  /** In place of the schema's own rules: takes the parsed body, gives what `call.body` becomes. */
  readonly checkBody?: (body: unknown) => unknown;
  /** In place of the general refusal of what is not JSON. */
  readonly refusePayload?: () => Problem;
  readonly bodyOptional?: boolean;
  readonly bodyExample?: unknown;
  /**
   * What a call is counted under, besides the user's own limit; `none` for what has to answer always. Left out:
   * the general limit of anonymous callers.
   */
  readonly limits?: readonly AdvertisedLimit[] | 'none';
  /** Answers also while the process is overloaded. */
  readonly isProbe?: boolean;
  readonly deprecation?: Deprecation;
  /** Honours Idempotency-Key: the handler does all of its writing inside `call.commit`. */
  readonly idempotent?: boolean;
  /** Headers that a request cannot do without. */
  readonly requiredHeaders?: readonly string[];
  /** Of the answer, where it is not JSON. */
  readonly mediaType?: string;
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** What can be refused here, besides what access, body and the service as a whole bring with them. */
  readonly problems?: readonly ProblemCode[];
}

export interface Route extends RouteBase {
  readonly handle: (call: HandlerContext) => Promise<HandlerResponse>;
}

type StaticOf<S> = S extends TSchema ? Static<S> : unknown;

/** Checks an entry against its own schemas and gives it in the form that tables hold. */
export function route<
  const A extends Access,
  const P extends TSchema | undefined,
  const B extends TSchema | undefined,
>(
  definition: RouteBase & {
    readonly access: A;
    readonly params?: P;
    readonly body?: B;
    readonly handle: (call: HandlerContext<A, StaticOf<P>, StaticOf<B>>) => Promise<HandlerResponse>;
  },
): Route {
  return definition as unknown as Route;
}
