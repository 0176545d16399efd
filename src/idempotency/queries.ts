import type { Tx } from '../database/database.ts';
import { prepareChange, prepareGet, prepareRun } from '../database/prepare.ts';
import type { CreatedResources, Sealed } from './stored-response.ts';

/** The scope of requests of a user. Those of tokens with fewer scopes continue with a colon and these scopes. */
export const userScope = (userId: string): string => `user:${userId}`;

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

interface NewClaim extends RequestIdentity {
  readonly id: string;
  readonly now: number;
  readonly leaseUntil: number;
  readonly expiresAt: number;
}

const deleteStale = prepareRun<NewClaim>(`
  delete from idempotency_keys where key_hash = $keyHash and scope = $scope and route = $route
    and (expires_at <= $now or (state = 'in_progress' and lease_until <= $now))`);
const insertClaim = prepareChange<NewClaim>(`
  insert into idempotency_keys
    (id, route, key_hash, scope, origin, fingerprint, state, lease_until, expires_at)
  values ($id, $route, $keyHash, $scope, $origin, $fingerprint, 'in_progress', $leaseUntil, $expiresAt)
  on conflict do nothing`);

/** Returns whether the claim was inserted. Expired claims, and those whose lease has expired, are deleted first. */
export async function claimRequest(tx: Tx, claim: NewClaim): Promise<boolean> {
  await deleteStale(tx, claim);
  return insertClaim(tx, claim);
}

/** The same request from any origin takes precedence over another request with the same key from this origin. */
export const findClaim = prepareGet<
  Pick<RequestIdentity, 'fingerprint'> & { id: string; salt: Uint8Array | null; sealed: Uint8Array | null },
  RequestIdentity,
  Tx
>(`
  select id, fingerprint, salt, sealed from idempotency_keys
  where key_hash = $keyHash and scope = $scope and route = $route
    and (fingerprint = $fingerprint or origin = $origin)
  order by case when fingerprint = $fingerprint then 0 else 1 end limit 1`);

/** `<>` instead of `=`, here and in `releaseClaim`: PostgreSQL might read all claims in progress by their partial index. */
const complete = prepareChange<Required<CreatedResources> & Sealed & { readonly id: string }>(`
  update idempotency_keys set state = 'done', salt = $salt, sealed = $sealed, user_id = $userId,
    token_hash = $tokenHash
  where id = $id and state <> 'done'`);

/** Stores the response, and the resources whose deletion deletes it. Returns false when another attempt has taken over the claim. */
export function completeClaim(tx: Tx, id: string, response: Sealed & CreatedResources): Promise<boolean> {
  return complete(tx, { userId: null, tokenHash: null, ...response, id });
}

export const releaseClaim = prepareRun<[id: string]>(
  "delete from idempotency_keys where id = $1 and state <> 'done'",
);

/** Deletes claims of a process that has ended, by the partial index `idempotency_keys_in_progress`. */
export const releaseAllClaims = prepareRun("delete from idempotency_keys where state = 'in_progress'");

/** With the conditions of the partial index `idempotency_keys_user_scope`. */
const deleteInScopes = prepareRun<[from: string, to: string, limit: number]>(`
  delete from idempotency_keys where id in (
    select id from idempotency_keys
    where scope >= $1 and scope < $2 and scope <> 'anonymous' and scope <> 'admin' limit $3)`);

/** Deletes claims and stored responses of requests of a user, at most `limit`; returns their number. */
export function deleteClaimsOfCaller(tx: Tx, userId: string, limit: number): Promise<number> {
  return deleteInScopes(tx, ...userScopeRange(userId), limit);
}

/** Deletes claims and stored responses that have expired, at most `limit` of them. */
export const deleteExpiredClaims = prepareRun<[now: number, limit: number]>(`
  delete from idempotency_keys where id in (
    select id from idempotency_keys where expires_at <= $1 order by expires_at limit $2)`);
