import { sql, type Tx } from '../../database/database.ts';

/** What names a request for which an answer may be stored. */
export interface RequestIdentity {
  readonly route: string;
  readonly keyHash: string;
  /** Who sends it: a user, the administrator, or anybody. */
  readonly scope: string;
  /** From where, for anonymous callers; the scope itself for the others. */
  readonly origin: string;
  readonly fingerprint: string;
}

export interface ClaimRow {
  readonly id: string;
  readonly fingerprint: string;
  readonly salt: Uint8Array | null;
  readonly sealed: Uint8Array | null;
}

const DELETE_DEAD = sql(`
  delete from idempotency_keys where key_hash = $1 and scope = $2 and route = $3
    and (expires_at <= $4 or (state = 'in_progress' and lease_until <= $4))`);
const CLAIM = sql(`
  insert into idempotency_keys
    (id, route, key_hash, scope, origin, fingerprint, state, lease_until, expires_at)
  values ($1, $2, $3, $4, $5, $6, 'in_progress', $7, $8)
  on conflict do nothing`);

/** True when the claim is ours. Claims that have expired, or whose holder died, make room first. */
export async function claimRequest(
  tx: Tx,
  id: string,
  request: RequestIdentity,
  times: { readonly now: number; readonly leaseUntil: number; readonly expiresAt: number },
): Promise<boolean> {
  const { route, keyHash, scope, origin, fingerprint } = request;
  await tx.run(DELETE_DEAD, keyHash, scope, route, times.now);
  const values = [id, route, keyHash, scope, origin, fingerprint, times.leaseUntil, times.expiresAt];
  return (await tx.run(CLAIM, ...values)) === 1;
}

/** The same request from anywhere comes before another request under the same key from the same origin. */
const FIND = sql<ClaimRow>(`
  select id, fingerprint, salt, sealed from idempotency_keys
  where key_hash = $1 and scope = $2 and route = $3 and (fingerprint = $4 or origin = $5)
  order by case when fingerprint = $4 then 0 else 1 end limit 1`);

export function findClaim(tx: Tx, request: RequestIdentity): Promise<ClaimRow | undefined> {
  const { route, keyHash, scope, origin, fingerprint } = request;
  return tx.get(FIND, keyHash, scope, route, fingerprint, origin);
}

const COMPLETE = sql(`
  update idempotency_keys set state = 'done', salt = $2, sealed = $3, user_id = $4, token_hash = $5
  where id = $1 and state = 'in_progress'`);

/** False when the claim has been taken over in the meantime. */
export async function completeClaim(
  tx: Tx,
  id: string,
  stored: { readonly salt: Uint8Array; readonly sealed: Uint8Array },
  createdResources: { readonly userId?: string; readonly tokenHash?: string },
): Promise<boolean> {
  const { userId = null, tokenHash = null } = createdResources;
  return (await tx.run(COMPLETE, id, stored.salt, stored.sealed, userId, tokenHash)) === 1;
}

const RELEASE = sql("delete from idempotency_keys where id = $1 and state = 'in_progress'");

/** Gives an unfinished claim back; one that is done stays. */
export async function releaseClaim(tx: Tx, id: string): Promise<void> {
  await tx.run(RELEASE, id);
}

const RELEASE_ALL = sql("delete from idempotency_keys where state = 'in_progress'");

/** Gives back what a process has left behind that was the only one on this database. */
export async function releaseAllClaims(tx: Tx): Promise<void> {
  await tx.run(RELEASE_ALL);
}

const DELETE_EXPIRED = sql(`
  delete from idempotency_keys where id in (
    select id from idempotency_keys where expires_at <= $1 limit $2)`);

export function deleteExpiredClaims(tx: Tx, now: number, limit: number): Promise<number> {
  return tx.run(DELETE_EXPIRED, now, limit);
}
