/**
 * Safe retries (draft-ietf-httpapi-idempotency-key-header): a request with a key is carried out once, and its
 * answer is given again. The claim is one short transaction; slow work follows outside of any; the effect and
 * the stored answer are one more transaction. A process that dies leaves at most a claim, whose lease ends.
 */
import type { Database, Tx } from '../../database/database.ts';
import { type Clock, HOUR } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { networkOf } from '../../lib/network.ts';
import { deriveKey, keyedHash } from '../../lib/secret-key.ts';
import { Problem } from '../../problems.ts';
import type { Caller, HandlerContext, HandlerResponse, Route, SerializedResponse } from '../route.ts';
import { fingerprint, readIdempotencyKey } from './key.ts';
import { claimRequest, completeClaim, findClaim, type RequestIdentity, releaseClaim } from './queries.ts';
import { seal, unseal } from './seal.ts';

export interface IdempotencyOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretKey: string;
  readonly publicUrl: string;
}

export interface IdempotentRequest {
  readonly route: Route;
  readonly call: HandlerContext;
  /** The fields named Idempotency-Key, as they came. */
  readonly keys: readonly string[] | undefined;
  /** The body as parsed, with members that the schema does not know. */
  readonly rawBody: unknown;
  /** How answers and refusals become bytes: what is stored is what is sent. */
  readonly write: (answer: HandlerResponse) => SerializedResponse;
  readonly writeProblem: (problem: Problem) => SerializedResponse;
  /** Carries the request out; its effects happen inside the `commit` that it is given. */
  readonly execute: (commit: HandlerContext['commit']) => Promise<HandlerResponse>;
}

export type RunIdempotently = (request: IdempotentRequest) => Promise<SerializedResponse>;

const LEASE_MS = 30_000;
/** Published in docs/idempotency.md. */
const RETENTION_MS = 24 * HOUR;

/** Gives the runner for routes that are marked idempotent; without a key it only carries the request out. */
export function createIdempotency(options: IdempotencyOptions): RunIdempotently {
  const hash = keyedHash(options.secretKey, 'idempotency-id');
  const secrets = {
    fingerprint: deriveKey(options.secretKey, 'idempotency-fingerprint'),
    seal: deriveKey(options.secretKey, 'idempotency-seal'),
  };
  return async (request) => {
    const key = readIdempotencyKey(request.keys);
    const {
      route: { method, path },
      call,
      rawBody,
    } = request;
    if (key === undefined) return request.write(await request.execute(call.commit));
    const route = `${method} ${path}`;
    const identity: RequestIdentity = {
      route,
      keyHash: hash(key),
      ...callerScope(call, hash),
      fingerprint: fingerprint(secrets.fingerprint, route, call.params, rawBody),
    };
    return new Attempt(options, secrets.seal, key, identity).run(request);
  };
}

/**
 * Strangers may choose the same weak key: for them another body is another request, unless it comes from the
 * same network. The same body from another network is the same person: it holds the password.
 */
function callerScope(
  { caller, address }: { caller: Caller; address: string },
  hash: (text: string) => string,
) {
  if (caller.kind === 'anonymous') return { scope: 'anonymous', origin: hash(networkOf(address)) };
  const scope = caller.kind === 'admin' ? 'admin' : `user:${caller.userId}`;
  return { scope, origin: scope };
}

/** One try of one request with a key. */
class Attempt {
  readonly #options: IdempotencyOptions;
  readonly #sealKey: Uint8Array;
  readonly #clientKey: string;
  readonly #identity: RequestIdentity;
  readonly #id = newId();

  constructor(
    options: IdempotencyOptions,
    sealKey: Uint8Array,
    clientKey: string,
    identity: RequestIdentity,
  ) {
    this.#options = options;
    this.#sealKey = sealKey;
    this.#clientKey = clientKey;
    this.#identity = identity;
  }

  async run(request: IdempotentRequest): Promise<SerializedResponse> {
    const replay = await this.#claim();
    if (replay !== undefined) return replay;
    try {
      return request.write(await request.execute((work) => this.#commit(work, request)));
    } catch (error) {
      await this.#settle(error, request);
      throw error;
    }
  }

  /**
   * That the record exists already is the outcome of the request; every other refusal may be retried. If this
   * fails too, the lease ends by itself: the first error is the one to tell.
   */
  async #settle(error: unknown, { writeProblem }: IdempotentRequest): Promise<void> {
    const isOutcome = error instanceof Problem && error.code === 'email_taken';
    await this.#options.database
      .transaction((tx) => (isOutcome ? this.#complete(tx, writeProblem(error)) : releaseClaim(tx, this.#id)))
      .catch(() => {});
  }

  /** Undefined when the request is ours to carry out, else the stored answer. */
  #claim(): Promise<SerializedResponse | undefined> {
    const now = this.#options.clock();
    const times = { now, leaseUntil: now + LEASE_MS, expiresAt: now + RETENTION_MS };
    return this.#options.database.transaction(async (tx) => {
      if (await claimRequest(tx, this.#id, this.#identity, times)) return undefined;
      const found = await findClaim(tx, this.#identity);
      // Released between the two statements by its holder, who could not finish: as busy as before.
      if (found === undefined) throw outstanding();
      if (found.fingerprint !== this.#identity.fingerprint) throw this.#reused();
      if (found.salt === null || found.sealed === null) throw outstanding();
      const { salt, sealed } = found;
      const stored = unseal(this.#sealKey, this.#clientKey, found.id, { salt, sealed });
      return { ...stored, headers: { ...stored.headers, 'idempotent-replayed': 'true' } };
    });
  }

  /** The effect and the answer that tells of it, in one transaction. */
  #commit(
    work: (tx: Tx) => Promise<HandlerResponse>,
    { write }: IdempotentRequest,
  ): Promise<HandlerResponse> {
    return this.#options.database.transaction(async (tx) => {
      const answer = await work(tx);
      await this.#complete(tx, write(answer), answer.createdResources);
      return answer;
    });
  }

  async #complete(
    tx: Tx,
    answer: SerializedResponse,
    createdResources: HandlerResponse['createdResources'] = {},
  ): Promise<void> {
    const stored = seal(this.#sealKey, this.#clientKey, this.#id, answer);
    // Slower than the lease, and somebody else has taken over: nothing of this attempt may remain.
    if (!(await completeClaim(tx, this.#id, stored, createdResources))) throw outstanding();
  }

  #reused(): Problem {
    const link = `<${this.#options.publicUrl}/docs/idempotency>; rel="describedby"`;
    return new Problem('idempotency_key_reused', { headers: { link } });
  }
}

function outstanding(): Problem {
  return new Problem('idempotency_key_in_use', { headers: { 'retry-after': '1' } });
}
