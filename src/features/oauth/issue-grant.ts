/** Issues what an application gets for the sign-in of a person. */
import type { DatabaseDeps, Tx } from '../../database/database.ts';
import { hashFamily, hashToken, newRefreshToken } from '../../lib/secrets/tokens.ts';
import { DAY, MINUTE } from '../../lib/time.ts';
import type { CurrentSettingsSource } from '../../settings/run-time-settings.ts';
import type { ApplicationRow } from '../applications/application.ts';
import { recordEvent } from '../events/record-event.ts';
import { MAX_LIFETIME_SECONDS } from '../people/tokens/create-token.ts';
import {
  type IssuedToken,
  issueToken,
  MAX_DEVICES_OF_APPLICATION,
  storeToken,
} from '../people/tokens/issue-token.ts';
import { keepNewestFamilies } from '../people/tokens/queries.ts';
import { readScopes } from '../people/tokens/scopes.ts';
import type { UserRow } from '../users/records/queries.ts';
import { OFFLINE_ACCESS } from './parameters.ts';
import { insertRefreshToken, type SignInRow } from './queries.ts';

export interface GrantDeps extends DatabaseDeps {
  readonly settings: CurrentSettingsSource;
}

/** A sign-in of a person to an application. `scopes`: those of the tokens, separated by spaces. */
export interface Grant extends SignInRow {
  readonly scopes: string;
  readonly nonce: string | null;
}

export interface IssuedGrant {
  readonly application: ApplicationRow;
  readonly user: UserRow;
  readonly grant: Grant;
  readonly issued: IssuedToken;
  readonly refreshToken?: string;
}

interface NewGrant extends Pick<IssuedGrant, 'application' | 'user' | 'grant'> {
  /** Id of the token, or with a refresh token of this one: its deletion ends all. */
  readonly tokenId: string;
  readonly now: number;
}

/** Issues an access token, and with the scope `offline_access` a refresh token, if the application may have one. */
export async function issueGrant({ settings }: GrantDeps, tx: Tx, given: NewGrant): Promise<IssuedGrant> {
  const { application, user, grant, tokenId: id, now } = given;
  const { name, token_lifetime_days: days } = application;
  const { id: userId } = user;
  const isOffline = application.refresh === 1 && readScopes(grant.scopes).includes(OFFLINE_ACCESS);
  const ofLogin = Math.min(settings.current.tokenLifetimeSeconds, MAX_LIFETIME_SECONDS);
  const lifetimeSeconds = days === null ? ofLogin : days * 86_400;
  const origin = { applicationId: application.id, sessionId: grant.session_id };
  const tokens = isOffline
    ? await startFamily(tx, given)
    : {
        issued: await issueToken(tx, {
          id,
          userId,
          name,
          ...origin,
          scopes: grant.scopes,
          lifetimeSeconds,
          now,
        }),
      };
  const details = { token_id: id, application_id: application.id };
  await recordEvent(tx, { type: 'token.created', userId, actor: 'user', details, now });
  return { application, user, grant, ...tokens };
}

/** Stores the refresh token of a program, which is listed as one token, and issues its first access token. */
async function startFamily(tx: Tx, { application, user, grant, tokenId: id, now }: NewGrant) {
  const { id: applicationId, name } = application;
  const { scopes, session_id, amr, authenticated_at } = grant;
  const group = { userId: user.id, applicationId };
  const refreshToken = newRefreshToken();
  const expires_at = getFamilyEnd(application, now, now);
  await storeToken(tx, {
    ...{ ...group, id, familyId: id, name, scopes, now, lifetimeSeconds: (expires_at - now) / 1000 },
    refreshToken: { text: refreshToken, hash: hashFamily(refreshToken) },
  });
  const row = { family_id: id, current_hash: hashToken(refreshToken), expires_at };
  await insertRefreshToken(tx, { ...row, session_id, amr, authenticated_at });
  await keepNewestFamilies(tx, { ...group, count: MAX_DEVICES_OF_APPLICATION });
  const family = { id, expiresAt: expires_at };
  return { refreshToken, issued: await issueAccessToken(tx, { application, user, family, scopes, now }) };
}

/** Returns when a refresh token ends that is used `now`, and whose first one was issued at `createdAt`. */
export function getFamilyEnd(application: ApplicationRow, createdAt: number, now: number): number {
  const { refresh_idle_days, refresh_days } = application;
  return Math.min(now + refresh_idle_days * DAY, createdAt + refresh_days * DAY);
}

/** Issues an access token of a refresh token, at whose end it ends. */
export function issueAccessToken(
  tx: Tx,
  given: Pick<NewGrant, 'application' | 'user' | 'now'> & {
    readonly family: { readonly id: string; readonly expiresAt: number };
    readonly scopes: string;
  },
): Promise<IssuedToken> {
  const { application, user, family, scopes, now } = given;
  const end = Math.min(now + application.access_token_minutes * MINUTE, family.expiresAt);
  return issueToken(tx, {
    ...{ userId: user.id, name: application.name, applicationId: application.id, familyId: family.id },
    ...{ scopes, now, lifetimeSeconds: Math.max(1, Math.floor((end - now) / 1000)) },
  });
}
