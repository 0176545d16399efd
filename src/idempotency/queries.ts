import { sql, type Tx } from '../database/database.ts';
import type { CreatedResources } from './created-response.ts';
import type { Sealed } from './seal.ts';

/** The scope of requests of a user. Those of tokens with fewer scopes continue with a colon and these scopes. */
export function userScope(userId: string): string {
  return `user:${userId}`;
}

/** Returns the first of all scopes of a user, and the end of their range. */
export function userScopeRange(userId: string): readonly [from: string, to: string] {
  // A semicolon comes after a colon.
  return [userScope(userId), `${userScope(userId)};`];
}

export interface RequestIdentity {
  readonly route: string;
  readonly keyHash: string;
  /** The caller: a user, the administrator, or any anonymous client. */
  readonly scope: string;
  /** The network of anonymous callers; the scope itself for the others. */
  readonly origin: string;
  readonly fingerprint: string;
}

interface ClaimRow {
  readonly id: string;
  readonly fingerprint: string;
  readonly salt: Uint8Array | null;
  readonly sealed: Uint8Array | null;
}

const DELETE_STALE = sql(`
  delete from idempotency_keys where key_hash = $1 and scope = $2 and route = $3
    and (expires_at <= $4 or (state = 'in_progress' and lease_until <= $4))`);
const CLAIM = sql(`
  insert into idempotency_keys
    (id, route, key_hash, scope, origin, fingerprint, state, lease_until, expires_at)
  values ($1, $2, $3, $4, $5, $6, 'in_progress', $7, $8)
  on conflict do nothing`);

/** Returns whether the claim was inserted. Expired claims, and those whose lease has expired, are deleted first. */
export async function claimRequest(
  tx: Tx,
  claim: RequestIdentity & { readonly id: string },
  times: { readonly now: number; readonly leaseUntil: number; readonly expiresAt: number },
): Promise<boolean> {
  const { id, route, keyHash, scope, origin, fingerprint } = claim;
  await tx.run(DELETE_STALE, keyHash, scope, route, times.now);
  const values = [id, route, keyHash, scope, origin, fingerprint, times.leaseUntil, times.expiresAt];
  return (await tx.run(CLAIM, ...values)) === 1;
}

/** The same request from any origin takes precedence over another request with the same key from this origin. */
const FIND = sql<ClaimRow>(`
  select id, fingerprint, salt, sealed from idempotency_keys
  where key_hash = $1 and scope = $2 and route = $3 and (fingerprint = $4 or origin = $5)
  order by case when fingerprint = $4 then 0 else 1 end limit 1`);

export function findClaim(tx: Tx, request: RequestIdentity): Promise<ClaimRow | undefined> {
  const { route, keyHash, scope, origin, fingerprint } = request;
  return tx.get(FIND, keyHash, scope, route, fingerprint, origin);
}

/** `<>` instead of `=`, here and in RELEASE: PostgreSQL might read all claims in progress by their partial index. */
const COMPLETE = sql(`
  update idempotency_keys set state = 'done', salt = $2, sealed = $3, user_id = $4, token_hash = $5
  where id = $1 and state <> 'done'`);

/** Stores the response, and the resources whose deletion deletes it. Returns false when another attempt has taken over the claim. */
export async function completeClaim(
  tx: Tx,
  id: string,
  response: Sealed & CreatedResources,
): Promise<boolean> {
  const { salt, sealed, userId = null, tokenHash = null } = response;
  return (await tx.run(COMPLETE, id, salt, sealed, userId, tokenHash)) === 1;
}

const RELEASE = sql("delete from idempotency_keys where id = $1 and state <> 'done'");

export async function releaseClaim(tx: Tx, id: string): Promise<void> {
  await tx.run(RELEASE, id);
}

/** With the literal of the partial index `idempotency_keys_in_progress`. */
const RELEASE_ALL = sql("delete from idempotency_keys where state = 'in_progress'");

/** Deletes the unfinished claims of an earlier process. Only for a database that no other process uses. */
export async function releaseAllClaims(tx: Tx): Promise<void> {
  await tx.run(RELEASE_ALL);
}

/** With the conditions of the partial index `idempotency_keys_user_scope`. */
const DELETE_OF_CALLER = sql(`
  delete from idempotency_keys where id in (
    select id from idempotency_keys
    where scope >= $1 and scope < $2 and scope <> 'anonymous' and scope <> 'admin' limit $3)`);

/** Deletes claims and stored responses of requests of a user, at most `limit`; returns their number. */
export function deleteClaimsOfCaller(tx: Tx, userId: string, limit: number): Promise<number> {
  return tx.run(DELETE_OF_CALLER, ...userScopeRange(userId), limit);
}

const DELETE_EXPIRED = sql(`
  delete from idempotency_keys where id in (
    select id from idempotency_keys where expires_at <= $1 order by expires_at limit $2)`);

/** Deletes claims and stored responses that have expired, at most `limit` of them. */
export function deleteExpiredClaims(tx: Tx, now: number, limit: number): Promise<number> {
  return tx.run(DELETE_EXPIRED, now, limit);
}
