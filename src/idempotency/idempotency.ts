/**
 * Safe retries (draft-ietf-httpapi-idempotency-key-header): the claim is one transaction, effect and stored
 * response another, slow work between them. The lease of a claim that a killed process leaves expires.
 */
import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AdminCaller, type Caller, SCOPES, type UserCaller } from '../callers/callers.ts';
import { DatabaseUnavailable, type Tx, UniqueViolation } from '../database/database.ts';
import { getNetwork } from '../lib/network.ts';
import type { SerializedResponse } from '../lib/routes/routes.ts';
import { createKeyedHash, deriveKey } from '../lib/secrets/encryption.ts';
import { HOUR } from '../lib/time.ts';
import type { Problem } from '../problems/problem.ts';
import {
  type AttemptedRequest,
  type AttemptOptions,
  attempt,
  type KeyedRequest,
  RETENTION_MS,
} from './attempt.ts';
import { type RequestIdentity, userScope } from './queries.ts';
import { fingerprint, readIdempotencyKey } from './stored-response.ts';

export interface IdempotencyOptions extends AttemptOptions {
  readonly secretKey: string;
}

/** The members of a request to an idempotent route that identify its claim. */
interface ClaimableRequest {
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
function createRequestReader(options: IdempotencyOptions) {
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

/**
 * Does the slow work of a step, and returns the function that writes its effect and returns a JSON value. Both
 * may run again.
 */
export type PrepareStep<Result> = () => Promise<(tx: Tx) => Promise<Result>>;

interface SteppedRequest<Result> extends ClaimableRequest {
  readonly serializeProblem: (problem: Problem) => SerializedResponse;
  readonly steps: readonly PrepareStep<Result>[];
}

/** The steps after the first are kept for longer than it: they must not be missing while it is replayed. */
const LATER_RETENTION_MS = RETENTION_MS + HOUR;
const MAX_ATTEMPTS = 3;

/** Creates the runner of routes with steps. It returns their results, and whether none was run. */
export function createIdempotentSteps(options: IdempotencyOptions) {
  const readRequest = createRequestReader(options);
  return async <Result>({ steps, serializeProblem, ...request }: SteppedRequest<Result>) => {
    const keyed = readRequest(request);
    const results: Result[] = [];
    let firstClaim: string | null = null;
    let isReplayed = keyed !== undefined;
    for (const [number, prepareStep] of steps.entries()) {
      const attempted = toRequest(prepareStep, serializeProblem);
      const step: KeyedRequest | undefined = keyed && toKeyedStep(keyed, firstClaim, number);
      const outcome: Awaited<ReturnType<typeof attempt>> = await withRetries(() =>
        attempt(options, step, attempted),
      );
      results.push(JSON.parse(outcome.response.body) as Result);
      firstClaim ??= outcome.claimId;
      isReplayed &&= outcome.isReplayed;
      // Transactions on SQLite are synchronous: several in a row would block other requests.
      await nextTurn();
    }
    return { results, isReplayed };
  };
}

function toRequest<Result>(
  prepareStep: PrepareStep<Result>,
  serializeProblem: SteppedRequest<Result>['serializeProblem'],
): AttemptedRequest {
  return {
    serializeProblem,
    serialize: ({ status, headers, body }) => ({ status, headers, body: JSON.stringify(body) }),
    prepare: async () => {
      const write = await prepareStep();
      const response = { status: 200, headers: {}, createdResources: {} };
      return { store: async (tx) => ({ ...response, body: (await write(tx)) as object }), isLong: true };
    },
  };
}

function toKeyedStep(keyed: KeyedRequest, firstClaim: string | null, number: number): KeyedRequest {
  if (firstClaim === null) return keyed;
  const keyHash = hash('sha256', `${firstClaim} ${number}`, 'base64url');
  return { ...keyed, identity: { ...keyed.identity, keyHash }, retentionMs: LATER_RETENTION_MS };
}

/** @throws DatabaseUnavailable if other transactions interfere each time */
async function withRetries<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      if (attempt === MAX_ATTEMPTS) throw new DatabaseUnavailable(error);
    }
  }
}
