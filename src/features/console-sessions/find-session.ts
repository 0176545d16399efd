/** Finds who is signed in to the console: a person with a role, or ADMIN_TOKEN. */
import type { IncomingHttpHeaders } from 'node:http';
import { RECENT_SIGN_IN_MINUTES, ROLES } from '../../callers/admin-scopes.ts';
import { type ConsoleSession, FIRST_OWNER, type FindConsoleSession } from '../../callers/callers.ts';
import { type DatabaseDeps, ignoreUnavailable } from '../../database/database.ts';
import { hashToken } from '../../lib/secrets/tokens.ts';
import { MINUTE } from '../../lib/time.ts';
import { Problem } from '../../problems/problem.ts';
import { hasTwoFactors } from '../people/sign-in/gate.ts';
import type { SignInSessions } from '../people/sign-in/sessions.ts';
import { SESSION_IDLE_MS } from '../people/tokens/queries.ts';
import { findLiveSession, recordUse } from './queries.ts';
import { createIsAccepted, type FirstOwnerDeps, IDLE_MS, USE_INTERVAL_MS } from './rules.ts';

interface FindSessionDeps extends DatabaseDeps, FirstOwnerDeps {
  readonly signInSessions: SignInSessions;
  /** Returns the token of the cookie of ADMIN_TOKEN's session. */
  readonly sessionToken: (headers: IncomingHttpHeaders, cookieTag: string) => string | undefined;
  readonly cookieTag: string;
  /** Whether people have to sign in with a second factor. */
  readonly adminSecondFactor: 'optional' | 'required';
}

/**
 * Creates the function. The session of ADMIN_TOKEN comes first, because it was begun to act as the first owner. The role
 * is read anew for each request: no node accepts one that was taken away.
 */
export function createFindSession(deps: FindSessionDeps): FindConsoleSession {
  const findFirstOwner = createFindFirstOwner(deps);
  return async (headers, options = { isUse: true }) =>
    (await findFirstOwner(headers, options)) ?? findPerson(deps, headers, options);
}

type Options = Required<Parameters<FindConsoleSession>>[1];

async function findPerson(
  { clock, signInSessions, adminSecondFactor }: FindSessionDeps,
  headers: IncomingHttpHeaders,
  options: Options,
): Promise<ConsoleSession | undefined> {
  const found = await signInSessions.find(headers, options);
  if (found === undefined) return undefined;
  const { amr, authenticatedAt, createdAt, expiresAt, user } = found;
  const { id, role, name, email } = user;
  if (role === null) throw new Problem('role_required');
  if (adminSecondFactor === 'required' && !hasTwoFactors(amr))
    throw new Problem('role_second_factor_required');
  const scopes = ROLES[role] ?? [];
  const person = { id, role, scopes, name: name ?? email ?? id };
  const credential = { ...person, secretHash: null, expiresAt: null, lastUsedAt: null };
  const isFresh = authenticatedAt > clock() - RECENT_SIGN_IN_MINUTES * MINUTE;
  return { createdAt, expiresAt, idleMs: SESSION_IDLE_MS, isFresh, credential };
}

function createFindFirstOwner(deps: FindSessionDeps) {
  const { database, clock, sessionToken, cookieTag } = deps;
  const isAccepted = createIsAccepted(deps);
  return async (headers: IncomingHttpHeaders, { isUse }: Options): Promise<ConsoleSession | undefined> => {
    const token = sessionToken(headers, cookieTag);
    if (token === undefined) return undefined;
    const now = clock();
    const hash = hashToken(token);
    const session = await findLiveSession(database, hash, now);
    if (session === undefined || !isAccepted(session.credential)) return undefined;
    const before = now - USE_INTERVAL_MS;
    if (isUse && session.last_used_at <= before) {
      const recording = database.transaction((tx) => recordUse(tx, { hash, now, before }));
      // While the database cannot be written, the console can still be read; the session ends sooner.
      await recording.catch(ignoreUnavailable);
    }
    const { created_at: createdAt, expires_at: expiresAt } = session;
    return { createdAt, expiresAt, idleMs: IDLE_MS, isFresh: true, credential: FIRST_OWNER };
  };
}
