/**
 * The entries of the route tables. The tables are the security policy: every entry states who may call it, and
 * there is no default.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Tx } from '../database/database.ts';
import type { Problem, ProblemCode } from '../problems.ts';
import type { JsonSchema, ValueOf } from './json-schema.ts';
import type { AdvertisedLimit, UserLimit } from './rate-limits/limits.ts';
import type { ConsoleSession } from './request/console-request.ts';
import type { BodyType } from './request/content.ts';
import type { Deprecation } from './response/deprecation.ts';

/**
 * public: credentials are ignored. optional: anonymous, a user or the administrator; a wrong credential is
 * rejected. user: a user's token. admin: the administrator's credential.
 */
export type Access = 'public' | 'optional' | 'user' | 'admin';

/** Every scope of tokens; docs/security.md lists what each permits. */
export const SCOPES = ['self:read', 'self:write', 'tokens:manage'] as const;
export type Scope = (typeof SCOPES)[number];

export interface AnonymousCaller {
  readonly kind: 'anonymous';
}
export interface AdminCaller {
  readonly kind: 'admin';
  /** Set on requests of the console. */
  readonly session?: ConsoleSession;
}
export interface UserCaller {
  readonly kind: 'user';
  readonly userId: string;
  readonly tokenId: string;
  readonly tokenHash: string;
  readonly scopes: readonly string[];
  /** Epoch milliseconds, as stored when the request was received. */
  readonly tokenLastUsedAt: number | null;
  /** The user's record, which is read together with the token. The features know its type. */
  readonly record: object;
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

/** The request as handlers see it. */
export interface HandlerContext<A extends Access = Access, P = unknown, B = unknown> {
  readonly caller: CallerOf<A>;
  readonly params: P;
  /** As parsed: a repeated parameter is a list. */
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  /** Validated and trimmed, without members that the schema does not name. */
  readonly body: B;
  readonly headers: IncomingHttpHeaders;
  readonly clientIp: string;
  /**
   * Runs the effect of the request in one transaction. On idempotent routes the response is stored in the same
   * transaction. Slow work comes before it. `work` may run again when the engine asks for a retry.
   */
  readonly transaction: (work: (tx: Tx) => Promise<HandlerResponse>) => Promise<HandlerResponse>;
}

export interface HandlerResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is serialised by the schema of the status; text, bytes and streams are sent as they are. */
  readonly body?: unknown;
  /** In place of a body: the name of a bundled file of the pages. */
  readonly file?: string;
  /** Resources that the response gives access to: deleting one deletes the stored response too. */
  readonly createdResources?: CreatedResources;
}

export interface CreatedResources {
  readonly userId?: string;
  readonly tokenHash?: string;
}

/** A response as it is sent. */
export interface SerializedResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface ResponseDescription {
  readonly description: string;
  readonly schema?: JsonSchema;
  readonly headers?: Readonly<Record<string, string>>;
  readonly examples?: Readonly<Record<string, unknown>>;
}

/** Renders an error response as a page; the headers of the problem are added to it. */
export type RenderProblem = (
  problem: Problem,
) => Promise<{ readonly headers: Readonly<Record<string, string>>; readonly body: string | Buffer }>;

interface RouteBase {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for parameters, as in OpenAPI. */
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** The scope that the user's token needs. */
  readonly scope?: Scope;
  /** Whether the operator has opened the route to this caller; 403 if not. */
  readonly isOpenTo?: (caller: Caller) => boolean;
  /** Query parameters by name. The administrator may send no others. */
  readonly query?: Readonly<Record<string, JsonSchema>>;
  readonly headers?: Readonly<Record<string, JsonSchema>>;
  readonly params?: JsonSchema;
  readonly body?: JsonSchema;
  /** The schema for this caller, where the rules depend on the caller; `body` then describes all of them. */
  readonly bodyFor?: (caller: Caller) => JsonSchema;
  /** Replaces validation by the schema: accepts the parsed body and returns `body` of the handler's context. */
  readonly checkBody?: (body: unknown) => unknown;
  /** Replaces the general problem of a body that is not JSON; `reason` is for the log. */
  readonly invalidPayload?: (reason: unknown) => Problem;
  /** The media type of request bodies: JSON by default, or that of HTML forms. */
  readonly bodyType?: BodyType;
  /** Default: 64 KiB (request/content.ts). */
  readonly maxBodyBytes?: number;
  /** Members that occur in every element of a list: they do not count towards the 1,000 members of a body. */
  readonly repeatedMembers?: readonly string[];
  readonly bodyOptional?: boolean;
  /** Whether a body that is not a JSON object counts as absent: for routes whose first release ignored it. */
  readonly ignoresInvalidPayload?: boolean;
  readonly bodyExample?: unknown;
  /**
   * The limits that count a call besides the user's own; `none` for routes that must always respond. Default: the
   * general limit of anonymous callers.
   */
  readonly limits?: readonly Exclude<AdvertisedLimit, UserLimit>[] | 'none';
  /** Further limits that count a call of a user per user. */
  readonly userLimits?: readonly UserLimit[];
  /** Responds also while the process is overloaded. */
  readonly isProbe?: boolean;
  readonly deprecation?: Deprecation;
  /** Honours Idempotency-Key: the handler does all of its writing inside `transaction`. */
  readonly idempotent?: boolean;
  /** Headers that a request must have. */
  readonly requiredHeaders?: readonly string[];
  /** Query parameters that a request must have. */
  readonly requiredQuery?: readonly string[];
  /** Media type of the response, where it is not JSON of the API. */
  readonly mediaType?: string;
  /** Renders all error responses of the path, in place of JSON. */
  readonly renderProblem?: RenderProblem;
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** Problems of this operation, besides those of its access, its body and the service as a whole. */
  readonly problems?: readonly ProblemCode[];
}

export interface Route extends RouteBase {
  readonly handle: (context: HandlerContext) => Promise<HandlerResponse>;
}

/** Checks an entry against its own schemas and returns it in the form that tables hold. */
export function route<
  const A extends Access,
  const P extends JsonSchema | undefined,
  const B extends JsonSchema | undefined,
>(
  definition: RouteBase & {
    readonly access: A;
    readonly params?: P;
    readonly body?: B;
    readonly handle: (context: HandlerContext<A, ValueOf<P>, ValueOf<B>>) => Promise<HandlerResponse>;
  },
): Route {
  return definition as unknown as Route;
}
