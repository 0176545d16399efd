/** One attempt at one request: its claim, if it has an Idempotency-Key, its effect, its stored response. */
import type { Database, DatabaseDeps, Tx } from '../database/database.ts';
import type { SerializedResponse } from '../lib/routes/routes.ts';
import { newId } from '../lib/secrets/ids.ts';
import { HOUR } from '../lib/time.ts';
import { Problem } from '../problems/problem.ts';
import { claimRequest, completeClaim, findClaim, type RequestIdentity, releaseClaim } from './queries.ts';
import {
  type CreatedResources,
  type CreatedResponse,
  type PreparedEffect,
  type SealContext,
  seal,
  unseal,
} from './stored-response.ts';

export interface AttemptOptions extends DatabaseDeps {
  readonly publicUrl: string;
}

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
  readonly retentionMs: number;
}

const LEASE_MS = 30_000;
/** Published in docs/idempotency.md. */
export const RETENTION_MS = 24 * HOUR;

/**
 * Runs the request, or returns the stored response. `keyed`: undefined for a request without a key. `claimId`: the id of
 * the claim that the response is stored with, the same for each replay; null without a key.
 */
export async function attempt(
  options: AttemptOptions,
  keyed: KeyedRequest | undefined,
  request: AttemptedRequest,
) {
  const claimId = keyed === undefined ? null : newId();
  const complete = async (tx: Tx, response: SerializedResponse, created?: CreatedResources) => {
    if (keyed === undefined || claimId === null) return;
    const sealed = seal({ ...keyed.sealKeys, rowId: claimId }, response);
    // The lease expired and another attempt has taken over: the effects of this one must be rolled back.
    if (!(await completeClaim(tx, claimId, { ...sealed, ...created }))) throw keyInUse();
  };
  const replay = keyed && claimId !== null ? await claim(options, keyed, claimId) : undefined;
  if (replay !== undefined) return replay;
  try {
    const { store, onStored, isLong = false } = await request.prepare();
    // The effect and the response are written in one transaction.
    const response = await options.database.transaction(
      async (tx) => {
        const created = await store(tx);
        const serialized = request.serialize(created);
        await complete(tx, serialized, created.createdResources);
        return serialized;
      },
      { isLong },
    );
    onStored?.();
    return { claimId, response, isReplayed: false };
  } catch (error) {
    if (claimId !== null)
      await settle(options.database, (tx) =>
        isOutcome(error) ? complete(tx, request.serializeProblem(error)) : releaseClaim(tx, claimId),
      );
    throw error;
  }
}

/** After any other error the request may be retried. */
function isOutcome(error: unknown): error is Problem {
  return error instanceof Problem && error.options.isOutcome === true;
}

/** If this fails too, the lease expires. @throws Problem idempotency_key_in_use if it was taken over */
async function settle(database: Database, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  await database.transaction(work).catch((failure) => {
    if (failure instanceof Problem) throw failure;
  });
}

/** Returns undefined when this attempt owns the request, or else the stored response. */
function claim(
  { database, clock, publicUrl }: AttemptOptions,
  { identity, sealKeys, retentionMs }: KeyedRequest,
  id: string,
) {
  const now = clock();
  const claimed = { ...identity, id, now, leaseUntil: now + LEASE_MS, expiresAt: now + retentionMs };
  return database.transaction(async (tx) => {
    if (await claimRequest(tx, claimed)) return undefined;
    const found = await findClaim(tx, identity);
    // The owner failed and released it between the two statements: the client may retry as before.
    if (found === undefined) throw keyInUse();
    if (found.fingerprint !== identity.fingerprint) {
      const link = `<${publicUrl}/docs/idempotency>; rel="describedby"`;
      throw new Problem('idempotency_key_reused', { headers: { link } });
    }
    const { salt, sealed } = found;
    if (salt === null || sealed === null) throw keyInUse();
    const response = unseal({ ...sealKeys, rowId: found.id }, { salt, sealed });
    return { claimId: found.id, response, isReplayed: true };
  });
}

const keyInUse = (): Problem => new Problem('idempotency_key_in_use', { retryAfterSeconds: 1 });
