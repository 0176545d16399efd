/** Refresh tokens of applications (RFC 6749 section 6), each replaced when it is used (RFC 9700 section 4.14.2). */
import { getActionContext } from '../../callers/action-context.ts';
import type { DatabaseDeps, Tx } from '../../database/database.ts';
import {
  deriveRefreshToken,
  hashFamily,
  hashToken,
  isRefreshToken,
  newRandomToken,
} from '../../lib/secrets/tokens.ts';
import type { ApplicationRow } from '../applications/application.ts';
import { isAllowed } from '../applications/queries.ts';
import { recordEvent } from '../events/record-event.ts';
import { enqueueNotice } from '../mail/enqueue-mail.ts';
import { isStillAdmitted } from '../people/sign-in/gate.ts';
import { deleteToken } from '../people/tokens/queries.ts';
import { readScopes } from '../people/tokens/scopes.ts';
import { lockUser, type UserRow } from '../users/records/queries.ts';
import { OAuthError } from './error-responses.ts';
import { type GrantDeps, getFamilyEnd, issueAccessToken } from './issue-grant.ts';
import { selectScopes } from './parameters.ts';
import { findRefreshToken, type RefreshTokenRow, rotateRefreshToken } from './queries.ts';

/** A client that has not received the response, or that uses the token twice at once, gets the same successor. */
const GRACE_MS = 30_000;

interface Presented {
  readonly token: string;
  /** Undefined: all scopes of the sign-in. */
  readonly scope: string | undefined;
}

/**
 * Returns an access token and the successor of the refresh token; null for one that is not accepted. A use of one that
 * was replaced, later than the grace period permits, ends all tokens of the program.
 * @throws OAuthError invalid_scope
 */
export function refresh(deps: GrantDeps, application: ApplicationRow, presented: Presented) {
  return deps.database.transaction(async (tx) => {
    const locked = await lockFamily(tx, application, presented.token);
    const now = deps.clock();
    if (locked === null || isEnded(application, locked.family, now)) return null;
    const { family, user } = locked;
    const successor = findSuccessor(family, presented.token, now);
    if (successor === null) {
      await endReused(tx, { application, family, user, now });
      return null;
    }
    if (!isStillAdmitted(deps, user) || !(await isAllowed(tx, application, user.id))) return null;
    const scopes = narrowScopes(presented.scope, family, application);
    const expiresAt = successor.isNew
      ? await store(tx, { application, family, successor, now })
      : family.expires_at;
    const access = { application, user, family: { id: family.family_id, expiresAt }, scopes, now };
    const { session_id, amr, authenticated_at } = family;
    const grant = { scopes, session_id, amr, authenticated_at, nonce: null };
    return {
      application,
      user,
      grant,
      issued: await issueAccessToken(tx, access),
      refreshToken: successor.token,
    };
  });
}

/** Locks the person, as the ends of their tokens do. */
async function lockFamily(tx: Tx, { id: application_id }: ApplicationRow, token: string) {
  if (!isRefreshToken(token)) return null;
  const key = { hash: hashFamily(token), application_id };
  const found = await findRefreshToken(tx, key);
  const user = found && (await lockUser(tx, found.user_id));
  // Another use, an end or a merge may have come before this one.
  const family = await findRefreshToken(tx, key);
  return user === undefined || family?.user_id !== user.id ? null : { user, family };
}

const isEnded = (application: ApplicationRow, { created_at, expires_at }: RefreshTokenRow, now: number) =>
  Math.min(expires_at, getFamilyEnd(application, created_at, now)) <= now;

type Successor = NonNullable<ReturnType<typeof findSuccessor>>;

/** Returns the token that replaces the presented one, with the nonce that it is derived by; null for one that was replaced. */
function findSuccessor(family: RefreshTokenRow, token: string, now: number) {
  const { current_hash, previous_hash, rotated_at } = family;
  const hash = hashToken(token);
  const isNew = hash === current_hash;
  if (!isNew && (hash !== previous_hash || rotated_at === null || now >= rotated_at + GRACE_MS)) return null;
  const nonce = isNew ? newRandomToken() : family.nonce!;
  return { isNew, replaced: hash, nonce, token: deriveRefreshToken(token, nonce) };
}

/** Returns when the refresh token ends. */
async function store(
  tx: Tx,
  given: { application: ApplicationRow; family: RefreshTokenRow; successor: Successor; now: number },
): Promise<number> {
  const { application, family, successor, now } = given;
  const { family_id, created_at } = family;
  const expires_at = getFamilyEnd(application, created_at, now);
  const hashes = { current_hash: hashToken(successor.token), previous_hash: successor.replaced };
  const { address: network } = getActionContext();
  await rotateRefreshToken(tx, family, {
    family_id,
    ...hashes,
    nonce: successor.nonce,
    expires_at,
    now,
    network,
  });
  return expires_at;
}

/**
 * Returns the requested scopes of the sign-in, without those that the application has lost since.
 * @throws OAuthError invalid_scope for others, or if none is left
 */
function narrowScopes(requested: string | undefined, family: RefreshTokenRow, application: ApplicationRow) {
  const granted = readScopes(family.scopes);
  const names = requested === undefined ? granted : readScopes(requested);
  const scopes = selectScopes(names.join(' '), application);
  if (scopes === '' || !names.every((name) => granted.includes(name)))
    throw new OAuthError(
      'invalid_scope',
      'scope must have scopes of the sign-in that the application still has',
    );
  return scopes;
}

async function endReused(
  tx: Tx,
  reused: { application: ApplicationRow; family: RefreshTokenRow; user: UserRow; now: number },
): Promise<void> {
  const { application, family, user, now } = reused;
  const { family_id: token_id } = family;
  await deleteToken(tx, token_id, user.id);
  const details = { token_id, application_id: application.id };
  await recordEvent(tx, { type: 'token.reused', userId: user.id, outcome: 'failure', details, now });
  await enqueueNotice(tx, user, { kind: 'token_reused', data: { application: application.name }, now });
}

/** Ends a refresh token with its access tokens; does nothing for one of another application. */
export async function revokeRefreshToken(
  { database, clock }: DatabaseDeps,
  application: ApplicationRow,
  token: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    const locked = await lockFamily(tx, application, token);
    if (locked === null) return;
    const { family, user } = locked;
    await deleteToken(tx, family.family_id, user.id);
    const details = { token_id: family.family_id };
    await recordEvent(tx, { type: 'token.revoked', userId: user.id, details, now: clock() });
  });
}

/** Returns what introspection says about a refresh token: active only if it is the current one, and of the application. */
export async function describeRefreshToken(
  { database, clock }: DatabaseDeps,
  application: ApplicationRow,
  token: string,
) {
  const found = await findRefreshToken(database, { hash: hashFamily(token), application_id: application.id });
  const isCurrent = found?.current_hash === hashToken(token);
  if (found === undefined || !isCurrent || isEnded(application, found, clock())) return { active: false };
  const { user_id: sub, scopes: scope, created_at, expires_at } = found;
  const times = { iat: Math.floor(created_at / 1000), exp: Math.floor(expires_at / 1000) };
  return { active: true, sub, scope, client_id: application.id, ...times };
}
