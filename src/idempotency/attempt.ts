/** One attempt at one request with an Idempotency-Key: its claim, its effect, its stored response. */
import type { Database, Tx } from '../database/database.ts';
import type { SerializedResponse } from '../lib/routes/serialized-response.ts';
import { newId } from '../lib/secrets/ids.ts';
import { type Clock, HOUR } from '../lib/time/clock.ts';
import { Problem } from '../problems/problem.ts';
import type { CreatedResources, CreatedResponse, PreparedEffect } from './created-response.ts';
import { claimRequest, completeClaim, findClaim, type RequestIdentity, releaseClaim } from './queries.ts';
import { type SealContext, seal, unseal } from './seal.ts';

export interface AttemptOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly publicUrl: string;
}

/** What an attempt does with its request. */
export interface AttemptedRequest {
  readonly serialize: (response: CreatedResponse) => SerializedResponse;
  readonly serializeProblem: (problem: Problem) => SerializedResponse;
  /** Does the slow work of the request, which has no effect. */
  readonly prepare: () => Promise<PreparedEffect>;
}

/** A request with a key, and the keys of its stored response. */
export interface KeyedRequest {
  readonly identity: RequestIdentity;
  readonly sealKeys: Omit<SealContext, 'rowId'>;
  /** Milliseconds for which the response is kept. */
  readonly retentionMs: number;
}

/** The response, and the id of the claim that it is stored with: the same for each replay. */
export interface StoredOutcome {
  readonly claimId: string;
  readonly response: SerializedResponse;
  readonly isReplayed: boolean;
}

const LEASE_MS = 30_000;
/** Published in docs/idempotency.md. */
export const RETENTION_MS = 24 * HOUR;

/** One attempt at one request with a key. */
export class IdempotentAttempt {
  readonly #options: AttemptOptions;
  readonly #identity: RequestIdentity;
  readonly #sealKeys: Omit<SealContext, 'rowId'>;
  readonly #retentionMs: number;
  readonly #id = newId();

  constructor(options: AttemptOptions, { identity, sealKeys, retentionMs }: KeyedRequest) {
    this.#options = options;
    this.#identity = identity;
    this.#sealKeys = sealKeys;
    this.#retentionMs = retentionMs;
  }

  async run(request: AttemptedRequest): Promise<StoredOutcome> {
    const replay = await this.#claim();
    if (replay !== undefined) return replay;
    try {
      const { store, onStored } = await request.prepare();
      const response = await this.#store(store, request);
      onStored?.();
      return { claimId: this.#id, response, isReplayed: false };
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
  async #settle(error: unknown, { serializeProblem }: AttemptedRequest): Promise<void> {
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
  #claim(): Promise<StoredOutcome | undefined> {
    const now = this.#options.clock();
    const times = { now, leaseUntil: now + LEASE_MS, expiresAt: now + this.#retentionMs };
    return this.#options.database.transaction(async (tx) => {
      if (await claimRequest(tx, { id: this.#id, ...this.#identity }, times)) return undefined;
      const found = await findClaim(tx, this.#identity);
      // The owner failed and released it between the two statements: the client may retry as before.
      if (found === undefined) throw keyInUse();
      if (found.fingerprint !== this.#identity.fingerprint) throw this.#reused();
      if (found.salt === null || found.sealed === null) throw keyInUse();
      const { salt, sealed } = found;
      const response = unseal({ ...this.#sealKeys, rowId: found.id }, { salt, sealed });
      return { claimId: found.id, response, isReplayed: true };
    });
  }

  /** Writes the effect and the response in one transaction. */
  #store(store: PreparedEffect['store'], { serialize }: AttemptedRequest): Promise<SerializedResponse> {
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
