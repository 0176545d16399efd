/**
 * Safe retries of a request in several transactions: each step is claimed and stored like a request, so that
 * none is repeated. The claims of later steps are derived from the first one.
 */
import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseUnavailable, type Tx, UniqueViolation } from '../database/database.ts';
import type { SerializedResponse } from '../lib/routes/serialized-response.ts';
import { HOUR } from '../lib/time.ts';
import type { Problem } from '../problems/problem.ts';
import { type AttemptedRequest, attempt, type KeyedRequest, RETENTION_MS } from './attempt.ts';
import { type ClaimableRequest, createRequestReader, type IdempotencyOptions } from './idempotency.ts';

/**
 * Does the slow work of a step, and returns the function that writes its effect and returns a JSON value. Both
 * may run again.
 */
export type PrepareStep<Result> = () => Promise<(tx: Tx) => Promise<Result>>;

export interface SteppedRequest<Result> extends ClaimableRequest {
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
