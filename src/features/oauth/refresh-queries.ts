import type { Tx } from '../../database/database.ts';
import { prepareGet, prepareRun } from '../../database/prepare.ts';
import { extendToken, type TokenRow } from '../people/tokens/queries.ts';

/** The sign-in that a refresh token continues. Times in epoch milliseconds. */
export interface SignInRow {
  /** The sign-in session, which may have ended; null for a device, whose tokens end with none. */
  readonly session_id: string | null;
  /** Separated by spaces. */
  readonly amr: string;
  readonly authenticated_at: number;
}

interface NewRefreshToken extends SignInRow {
  readonly family_id: string;
  /** SHA-256 of the refresh token in hex. */
  readonly current_hash: string;
  readonly expires_at: number;
}

/** A refresh token with the token that lists it. */
export interface RefreshTokenRow extends NewRefreshToken, Pick<TokenRow, 'scopes' | 'created_at'> {
  readonly user_id: string;
  /** That of the one before; null before the first use. */
  readonly previous_hash: string | null;
  /** The current one is derived from it and the one before. */
  readonly nonce: string | null;
  readonly rotated_at: number | null;
}

export const insertRefreshToken = prepareRun<NewRefreshToken>(`
  insert into refresh_tokens (family_id, current_hash, expires_at, session_id, amr, authenticated_at)
  values ($family_id, $current_hash, $expires_at, $session_id, $amr, $authenticated_at)`);

/** Finds a refresh token of an application by the hash of its family, whether it is the current one or not. */
export const findRefreshToken = prepareGet<RefreshTokenRow, { hash: string; application_id: string }>(`
  select user_id, scopes, created_at, family.family_id, current_hash, previous_hash, nonce, family.rotated_at,
    family.expires_at, session_id, amr, authenticated_at
  from (select id, user_id, scopes, created_at from tokens where hash = $hash and application_id = $application_id) as token
  join refresh_tokens as family on family.family_id = token.id`);

interface Rotation extends Pick<RefreshTokenRow, 'family_id' | 'current_hash' | 'previous_hash' | 'nonce'> {
  readonly expires_at: number;
  readonly now: number;
}

const rotate = prepareRun<Rotation>(`
  update refresh_tokens set current_hash = $current_hash, previous_hash = $previous_hash, nonce = $nonce,
    rotated_at = $now, expires_at = $expires_at
  where family_id = $family_id`);

/** Stores the successor of a refresh token. `network`: that of its use. */
export async function rotateRefreshToken(
  tx: Tx,
  before: RefreshTokenRow,
  { network, ...rotation }: Rotation & { readonly network: string | null },
): Promise<void> {
  await rotate(tx, rotation);
  const { expires_at: expiresAt, now } = rotation;
  await extendToken(tx, { id: before.family_id, expires_at: before.expires_at }, { expiresAt, now, network });
}
