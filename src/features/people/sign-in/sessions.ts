/** Sessions of people who are signed in with their browser. They are not tokens. */
import type { IncomingHttpHeaders } from 'node:http';
import { getActionContext } from '../../../callers/action-context.ts';
import { type DatabaseDeps, ignoreUnavailable, type Reader, type Tx } from '../../../database/database.ts';
import { describeDevice } from '../../../lib/devices.ts';
import { isId, newId } from '../../../lib/secrets/ids.ts';
import { deriveToken, hashToken, newRandomToken } from '../../../lib/secrets/tokens.ts';
import { DAY, MINUTE } from '../../../lib/time.ts';
import { recordEvent } from '../../events/record-event.ts';
import { findUser } from '../../users/records/queries.ts';
import { deleteTokensOfSession } from '../tokens/queries.ts';
import type { Admitted, AuthenticationMethod } from './gate.ts';
import * as queries from './queries.ts';
import {
  type CookieDeps,
  formatSessionCookie,
  identifyForm,
  readSessionCookie,
  type SentForm,
} from './session-cookie.ts';

/** Time after which a session ends in any case. */
const LIFETIME_MS = 30 * DAY;
/** Uses within this time of a recorded one are not written: a session may end so much earlier. */
const USE_INTERVAL_MS = 5 * MINUTE;
/** Time in which a form that has started a session is sent again by somebody who has not seen the response. */
export const REPETITION_MS = 5 * MINUTE;
/** A sign-in beyond this number of sessions of one user ends the oldest (OWASP ASVS 5.0, 7.1.2). */
export const MAX_SESSIONS = 50;

/** Times in epoch milliseconds. */
export interface SignInSession {
  readonly id: string;
  readonly userId: string;
  readonly amr: readonly AuthenticationMethod[];
  readonly authenticatedAt: number;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
}

type OwnSession = Pick<SignInSession, 'id' | 'userId'>;

export type SignInSessions = ReturnType<typeof createSignInSessions>;

type Deps = DatabaseDeps & CookieDeps;

export function createSignInSessions(deps: Deps) {
  return {
    /**
     * Starts a session in the transaction of the gate, and ends the one that the browser had, with its tokens: none of
     * them gains the new sign-in. `cookie` is the Set-Cookie header.
     */
    async start(tx: Tx, admitted: Admitted, form: SentForm) {
      const { headers } = form;
      // It may have been planted or copied.
      const previous = await findRow(deps, tx, headers);
      const { token, session } = await insertSession(tx, admitted, identifyForm(deps, form));
      if (previous !== undefined) await endSession(deps, tx, { ...toSession(previous), actor: 'user' });
      return { session, cookie: toCookie(deps, headers, token) };
    },
    /** Returns the cookie of the session that the same form has just started; undefined if it has started none. */
    async findStarted(form: SentForm): Promise<string | undefined> {
      const sent = identifyForm(deps, form);
      if (sent === null) return undefined;
      const after = deps.clock() - REPETITION_MS;
      const started = await queries.findStartedBy(deps.database, hashToken(sent), after);
      return started && toCookie(deps, form.headers, deriveToken(sent, started.form_nonce));
    },
    /** Returns the live session of the browser with its active user, and records its use unless it is none. */
    find: (headers: IncomingHttpHeaders, options = { isUse: true }) => findSession(deps, headers, options),
    /** Ends the session and the tokens of applications that come from it. Returns whether it was there. */
    end: (tx: Tx, session: OwnSession, actor: 'user' | 'administrator' = 'user') =>
      endSession(deps, tx, { ...session, actor }),
    expiredCookie: (headers: IncomingHttpHeaders) =>
      formatSessionCookie(deps, headers, { token: '', maxAge: 0 }),
  };
}

async function findRow(deps: Deps, reader: Reader, headers: IncomingHttpHeaders) {
  const token = readSessionCookie(deps, headers);
  return token === undefined ? undefined : queries.findLiveSession(reader, hashToken(token), deps.clock());
}

const toCookie = (deps: Deps, headers: IncomingHttpHeaders, token: string) =>
  formatSessionCookie(deps, headers, { token, maxAge: LIFETIME_MS / 1000 });

async function insertSession(
  tx: Tx,
  { user, amr, authenticatedAt: now }: Admitted,
  /** What identifies the form that starts the session: the token is derived from it and a nonce, to be returned again. */
  form: string | null,
) {
  const form_nonce = newRandomToken();
  const token = deriveToken(form ?? newRandomToken(), form_nonce);
  const form_hash = form && hashToken(form);
  const { address: network, userAgent } = getActionContext();
  const times = { authenticated_at: now, created_at: now, last_used_at: now, expires_at: now + LIFETIME_MS };
  const device = describeDevice(userAgent);
  const row = { id: newId(), user_id: user.id, amr: amr.join(' '), ...times, device, network };
  await queries.insertSession(tx, { ...row, hash: hashToken(token), form_hash, form_nonce });
  await queries.keepNewestSessions(tx, { user_id: user.id, count: MAX_SESSIONS });
  const event = {
    type: 'session.created',
    userId: user.id,
    actor: 'user',
    details: { amr: row.amr },
  } as const;
  await recordEvent(tx, { ...event, now });
  return { token, session: toSession(row) };
}

function toSession(row: queries.SessionRow): SignInSession {
  return {
    id: row.id,
    userId: row.user_id,
    amr: row.amr.split(' ') as AuthenticationMethod[],
    authenticatedAt: row.authenticated_at,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
  };
}

async function findSession(deps: Deps, headers: IncomingHttpHeaders, { isUse }: { readonly isUse: boolean }) {
  const { database, clock } = deps;
  const row = await findRow(deps, database, headers);
  if (row === undefined) return undefined;
  const now = clock();
  const user = await findUser(database, row.user_id);
  if (user?.state !== 'active') return undefined;
  const before = now - USE_INTERVAL_MS;
  if (isUse && row.last_used_at <= before) {
    const { id } = row;
    // While the database cannot be written, pages can still be read; the session ends sooner.
    await database.transaction((tx) => queries.recordUse(tx, { id, now, before })).catch(ignoreUnavailable);
  }
  return { ...toSession(row), user };
}

async function endSession(
  { clock }: Deps,
  tx: Tx,
  { id, userId, actor }: OwnSession & { readonly actor: 'user' | 'administrator' },
) {
  if (!isId(id) || (await queries.deleteSession(tx, { id, userId })) === 0) return false;
  await deleteTokensOfSession(tx, { sessionId: id, userId });
  await recordEvent(tx, { type: 'session.ended', userId, actor, now: clock() });
  return true;
}
