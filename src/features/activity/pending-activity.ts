/** Activity in memory that is not written to the database yet. */
import { MINUTE, toDayNumber } from '../../lib/time.ts';

/** Maximum number of tokens and of users while the database is unavailable: no more are recorded. */
const MAX_PENDING = 100_000;

export interface LastUse {
  /** Epoch milliseconds. */
  readonly at: number;
  /** As it is stored; null for none. */
  readonly network: string | null;
}

export interface PendingActivity {
  /** Token hash → its last use. */
  readonly tokens: Map<string, LastUse>;
  /** Id of a credential → time of its use. */
  readonly credentials: Map<string, number>;
  /** `day:userId` → the day since the epoch. */
  readonly activeUsers: Map<string, number>;
  /** Minute since the epoch → failed logins. */
  readonly failures: Map<number, number>;
}

export interface TokenUse {
  readonly tokenHash: string;
  readonly userId: string;
  /** The last use that the database knows. */
  readonly lastUsedAt: number | null;
  /** Returns the network of the client. Called only if the use is recorded. */
  readonly getNetwork?: () => string | null;
}

export function noActivity(): PendingActivity {
  return { tokens: new Map(), credentials: new Map(), activeUsers: new Map(), failures: new Map() };
}

/** Adds the use of a token, unless there was one within the last minute. Returns whether it was added. */
export function addTokenUse(pending: PendingActivity, use: TokenUse, now: number): boolean {
  const { tokens } = pending;
  if (isRecent(now, use.lastUsedAt, tokens.get(use.tokenHash)?.at) || tokens.size >= MAX_PENDING)
    return false;
  tokens.set(use.tokenHash, { at: now, network: use.getNetwork?.() ?? null });
  addActiveUser(pending, use.userId, now);
  return true;
}

/**
 * Adds the use of a credential, unless there was one within the last minute. Returns whether it was added.
 * @param use with the last one that the database knows
 */
export function addCredentialUse(
  { credentials }: PendingActivity,
  { credentialId, lastUsedAt }: { readonly credentialId: string; readonly lastUsedAt: number | null },
  now: number,
): boolean {
  if (isRecent(now, lastUsedAt, credentials.get(credentialId)) || credentials.size >= MAX_PENDING)
    return false;
  credentials.set(credentialId, now);
  return true;
}

function isRecent(now: number, ...uses: readonly (number | null | undefined)[]): boolean {
  return uses.some((usedAt) => now - (usedAt ?? 0) < MINUTE);
}

export function addActiveUser({ activeUsers }: PendingActivity, userId: string, now: number): void {
  const day = toDayNumber(now);
  if (activeUsers.size < MAX_PENDING) activeUsers.set(`${day}:${userId}`, day);
}

export function addFailedLogin({ failures }: PendingActivity, now: number): void {
  const minute = Math.floor(now / MINUTE);
  failures.set(minute, (failures.get(minute) ?? 0) + 1);
}

/** Returns the activity of both, for a batch that could not be written and what was added since. */
export function mergeActivity(older: PendingActivity, newer: PendingActivity): PendingActivity {
  const failures = new Map(older.failures);
  for (const [minute, count] of newer.failures) failures.set(minute, (failures.get(minute) ?? 0) + count);
  return {
    tokens: new Map([...older.tokens, ...newer.tokens].slice(0, MAX_PENDING)),
    credentials: new Map([...older.credentials, ...newer.credentials].slice(0, MAX_PENDING)),
    activeUsers: new Map([...older.activeUsers, ...newer.activeUsers].slice(0, MAX_PENDING)),
    failures,
  };
}
