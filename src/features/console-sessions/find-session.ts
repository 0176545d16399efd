/** Finds live sessions of the console, and records their use. */
import type { FindConsoleSession } from '../../callers/callers.ts';
import { type DatabaseDeps, DatabaseUnavailable } from '../../database/database.ts';
import { hashToken } from '../../lib/secrets/tokens.ts';
import { findLiveSession, recordUse } from './queries.ts';
import { USE_INTERVAL_MS } from './rules.ts';
import { createResolve, type ResolveDeps } from './session-credential.ts';

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof DatabaseUnavailable)) throw error;
}

/** Creates the function. It returns no session whose credential is not accepted any more. */
export function createFindSession(deps: ResolveDeps & DatabaseDeps): FindConsoleSession {
  const { database, clock } = deps;
  const resolve = createResolve(deps);
  return async (token, clientIp, { isUse } = { isUse: true }) => {
    const now = clock();
    const hash = hashToken(token);
    const session = await findLiveSession(database, hash, now);
    if (session === undefined) return undefined;
    const credential = await resolve(session.credential, clientIp);
    if (credential === undefined) return undefined;
    const before = now - USE_INTERVAL_MS;
    if (isUse && session.last_used_at <= before) {
      const recording = database.transaction((tx) => recordUse(tx, { hash, now, before }));
      // While the database cannot be written, the console can still be read; the session ends sooner.
      await recording.catch(ignoreUnavailable);
    }
    return { createdAt: session.created_at, expiresAt: session.expires_at, credential };
  };
}
