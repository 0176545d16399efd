/**
 * Safe retries (draft-ietf-httpapi-idempotency-key-header): the claim is one transaction, effect and stored
 * response another, slow work between them. The lease of a claim that a killed process leaves expires.
 */
import { type AdminCaller, type Caller, SCOPES, type UserCaller } from '../callers/callers.ts';
import { getNetwork } from '../lib/network.ts';
import type { SerializedResponse } from '../lib/routes/serialized-response.ts';
import { createKeyedHash, deriveKey } from '../lib/secrets/secret-key.ts';
import {
  type AttemptedRequest,
  type AttemptOptions,
  attempt,
  type KeyedRequest,
  RETENTION_MS,
} from './attempt.ts';
import { fingerprint, readIdempotencyKey } from './key.ts';
import { type RequestIdentity, userScope } from './queries.ts';

export interface IdempotencyOptions extends AttemptOptions {
  readonly secretKey: string;
}

/** The members of a request to an idempotent route that identify its claim. */
export interface ClaimableRequest {
  /** Method and path template, such as `POST /api/register`. */
  readonly route: string;
  readonly caller: Caller;
  readonly clientIp: string;
  readonly params: unknown;
  /** The values of the fields named Idempotency-Key. */
  readonly keys: readonly string[] | undefined;
  /** The body as parsed, with members that the schema does not name. */
  readonly rawBody: unknown;
}

export interface IdempotentRequest extends ClaimableRequest, AttemptedRequest {}

/** Creates the runner of idempotent routes. Without a key it only runs the handler. */
export function createIdempotency(options: IdempotencyOptions) {
  const readRequest = createRequestReader(options);
  return async (request: IdempotentRequest): Promise<SerializedResponse> => {
    const { response, isReplayed } = await attempt(options, readRequest(request), request);
    if (!isReplayed) return response;
    return { ...response, headers: { ...response.headers, 'idempotent-replayed': 'true' } };
  };
}

/** Returns the function that identifies a request by its key, caller and content; undefined without a key. */
export function createRequestReader(options: IdempotencyOptions) {
  const hash = createKeyedHash(options.secretKey, 'idempotency-id');
  const secrets = {
    fingerprint: deriveKey(options.secretKey, 'idempotency-fingerprint'),
    seal: deriveKey(options.secretKey, 'idempotency-seal'),
  };
  return (request: ClaimableRequest): KeyedRequest | undefined => {
    const key = readIdempotencyKey(request.keys);
    if (key === undefined) return undefined;
    const { route, params, rawBody } = request;
    const identity: RequestIdentity = {
      route,
      keyHash: hash(key),
      ...callerScope(request, hash),
      fingerprint: fingerprint(secrets.fingerprint, { route, params, body: rawBody }),
    };
    return { identity, sealKeys: { secret: secrets.seal, clientKey: key }, retentionMs: RETENTION_MS };
  };
}

/** Anonymous clients may choose the same weak key: for them another body from another network is another request. */
function callerScope({ caller, clientIp }: ClaimableRequest, hash: (text: string) => string) {
  if (caller.kind === 'anonymous') return { scope: 'anonymous', origin: hash(getNetwork(clientIp)) };
  const scope = caller.kind === 'admin' ? toAdminScope(caller) : toUserScope(caller);
  return { scope, origin: scope };
}

/** Another credential or role may have fewer scopes: it must not obtain a stored response by the same key. */
function toAdminScope({ credential: { id, role } }: AdminCaller): string {
  if (id === null) return 'admin';
  return role === undefined ? `admin:${id}` : `admin:${id}:${role}`;
}

/** A stored response may contain a token: one with fewer scopes must not obtain it by the same key. */
function toUserScope({ userId, scopes }: UserCaller): string {
  const hasAll = SCOPES.every((scope) => scopes.includes(scope));
  return hasAll ? userScope(userId) : `${userScope(userId)}:${scopes.toSorted().join(' ')}`;
}
