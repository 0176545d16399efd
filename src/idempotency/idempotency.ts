/**
 * Safe retries (draft-ietf-httpapi-idempotency-key-header): a request with a key is processed once, and its response
 * is replayed. The claim is one short transaction; slow work follows outside of any transaction; the effect and the
 * stored response are one more transaction. A process that is killed leaves at most a claim, whose lease expires.
 */
import { type Caller, SCOPES, type UserCaller } from '../callers/callers.ts';
import type { Database, Tx } from '../database/database.ts';
import { getNetwork } from '../lib/network.ts';
import type { SerializedResponse } from '../lib/routes/serialized-response.ts';
import { newId } from '../lib/secrets/ids.ts';
import { deriveKey, keyedHash } from '../lib/secrets/secret-key.ts';
import { type Clock, HOUR } from '../lib/time/clock.ts';
import { Problem } from '../problems/problem.ts';
import type { CreatedResources, CreatedResponse, PreparedEffect } from './created-response.ts';
import { fingerprint, readIdempotencyKey } from './key.ts';
import {
  claimRequest,
  completeClaim,
  findClaim,
  type RequestIdentity,
  releaseClaim,
  userScope,
} from './queries.ts';
import { type SealContext, seal, unseal } from './seal.ts';

export interface IdempotencyOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretKey: string;
  readonly publicUrl: string;
}

export interface IdempotentRequest {
  /** Method and path template, such as `POST /api/register`. */
  readonly route: string;
  readonly caller: Caller;
  readonly clientIp: string;
  readonly params: unknown;
  /** The values of the fields named Idempotency-Key. */
  readonly keys: readonly string[] | undefined;
  /** The body as parsed, with members that the schema does not name. */
  readonly rawBody: unknown;
  readonly serialize: (response: CreatedResponse) => SerializedResponse;
  readonly serializeProblem: (problem: Problem) => SerializedResponse;
  /** Does the slow work of the request, which has no effect. */
  readonly prepare: () => Promise<PreparedEffect>;
}

export type RunIdempotently = (request: IdempotentRequest) => Promise<SerializedResponse>;

const LEASE_MS = 30_000;
/** Published in docs/idempotency.md. */
const RETENTION_MS = 24 * HOUR;

/** Creates the runner of idempotent routes. Without a key it only runs the handler. */
export function createIdempotency(options: IdempotencyOptions): RunIdempotently {
  const hash = keyedHash(options.secretKey, 'idempotency-id');
  const secrets = {
    fingerprint: deriveKey(options.secretKey, 'idempotency-fingerprint'),
    seal: deriveKey(options.secretKey, 'idempotency-seal'),
  };
  return async (request) => {
    const key = readIdempotencyKey(request.keys);
    if (key === undefined) return storeOnce(options.database, request);
    const { route, params, rawBody } = request;
    const identity: RequestIdentity = {
      route,
      keyHash: hash(key),
      ...callerScope(request, hash),
      fingerprint: fingerprint(secrets.fingerprint, { route, params, body: rawBody }),
    };
    return new IdempotentAttempt(options, identity, { secret: secrets.seal, clientKey: key }).run(request);
  };
}

/** Runs a request without a key. */
async function storeOnce(database: Database, request: IdempotentRequest): Promise<SerializedResponse> {
  const { store, onStored } = await request.prepare();
  const response = await database.transaction(async (tx) => request.serialize(await store(tx)));
  onStored?.();
  return response;
}

/**
 * Anonymous clients may choose the same weak key: for them another body is another request, unless it comes from the
 * same network. The same body from another network is the same person: it contains the password.
 */
function callerScope({ caller, clientIp }: IdempotentRequest, hash: (text: string) => string) {
  if (caller.kind === 'anonymous') return { scope: 'anonymous', origin: hash(getNetwork(clientIp)) };
  const scope = caller.kind === 'admin' ? 'admin' : toUserScope(caller);
  return { scope, origin: scope };
}

/** A stored response may contain a token: one with fewer scopes must not obtain it by the same key. */
function toUserScope({ userId, scopes }: UserCaller): string {
  const hasAll = SCOPES.every((scope) => scopes.includes(scope));
  return hasAll ? userScope(userId) : `${userScope(userId)}:${scopes.toSorted().join(' ')}`;
}

/** One attempt at one request with a key. */
class IdempotentAttempt {
  readonly #options: IdempotencyOptions;
  readonly #identity: RequestIdentity;
  readonly #sealKeys: Omit<SealContext, 'rowId'>;
  readonly #id = newId();

  constructor(options: IdempotencyOptions, identity: RequestIdentity, sealKeys: Omit<SealContext, 'rowId'>) {
    this.#options = options;
    this.#identity = identity;
    this.#sealKeys = sealKeys;
  }

  async run(request: IdempotentRequest): Promise<SerializedResponse> {
    const replay = await this.#claim();
    if (replay !== undefined) return replay;
    try {
      const { store, onStored } = await request.prepare();
      const response = await this.#store(store, request);
      onStored?.();
      return response;
    } catch (error) {
      await this.#settle(error, request);
      throw error;
    }
  }

  /**
   * A duplicate is the outcome of the request; after any other error the request may be retried. If this fails too,
   * the lease expires by itself: the first error is the one to report.
   * @throws Problem idempotency_key_in_use when another attempt has taken over: the duplicate may be its effect
   */
  async #settle(error: unknown, { serializeProblem }: IdempotentRequest): Promise<void> {
    const isOutcome = error instanceof Problem && error.code === 'email_taken';
    await this.#options.database
      .transaction((tx) =>
        isOutcome ? this.#complete(tx, serializeProblem(error)) : releaseClaim(tx, this.#id),
      )
      .catch((failure) => {
        if (failure instanceof Problem) throw failure;
      });
  }

  /** Returns undefined when this attempt owns the request, or else the stored response. */
  #claim(): Promise<SerializedResponse | undefined> {
    const now = this.#options.clock();
    const times = { now, leaseUntil: now + LEASE_MS, expiresAt: now + RETENTION_MS };
    return this.#options.database.transaction(async (tx) => {
      if (await claimRequest(tx, { id: this.#id, ...this.#identity }, times)) return undefined;
      const found = await findClaim(tx, this.#identity);
      // The owner failed and released it between the two statements: the client may retry as before.
      if (found === undefined) throw keyInUse();
      if (found.fingerprint !== this.#identity.fingerprint) throw this.#reused();
      if (found.salt === null || found.sealed === null) throw keyInUse();
      const { salt, sealed } = found;
      const stored = unseal({ ...this.#sealKeys, rowId: found.id }, { salt, sealed });
      return { ...stored, headers: { ...stored.headers, 'idempotent-replayed': 'true' } };
    });
  }

  /** Writes the effect and the response in one transaction. */
  #store(store: PreparedEffect['store'], { serialize }: IdempotentRequest): Promise<SerializedResponse> {
    return this.#options.database.transaction(async (tx) => {
      const response = await store(tx);
      const stored = serialize(response);
      await this.#complete(tx, stored, response.createdResources);
      return stored;
    });
  }

  async #complete(tx: Tx, response: SerializedResponse, created: CreatedResources = {}): Promise<void> {
    const sealed = seal({ ...this.#sealKeys, rowId: this.#id }, response);
    // The lease expired and another attempt has taken over: the effects of this one must be rolled back.
    if (!(await completeClaim(tx, this.#id, { ...sealed, ...created }))) throw keyInUse();
  }

  #reused(): Problem {
    const link = `<${this.#options.publicUrl}/docs/idempotency>; rel="describedby"`;
    return new Problem('idempotency_key_reused', { headers: { link } });
  }
}

function keyInUse(): Problem {
  return new Problem('idempotency_key_in_use', { retryAfterSeconds: 1 });
}
