import type { Tx } from '../../database/database.ts';
import { prepareChange, prepareGet, prepareRun } from '../../database/prepare.ts';
import { MINUTE } from '../../lib/time.ts';
import { extendToken, type TokenRow } from '../people/tokens/queries.ts';

/** An authorization code. Times in epoch milliseconds. */
export interface CodeRow {
  /** SHA-256 of the code in hex. */
  readonly hash: string;
  readonly application_id: string;
  readonly user_id: string;
  /** The sign-in session, with which the code ends. */
  readonly session_id: string;
  readonly redirect_uri: string;
  /** `code_challenge` by the method S256, or `NO_CHALLENGE`. */
  readonly challenge: string;
  /** Those of the token, separated by spaces. */
  readonly scopes: string;
  readonly nonce: string | null;
  /** Separated by spaces. */
  readonly amr: string;
  readonly authenticated_at: number;
  readonly created_at: number;
  readonly expires_at: number;
  /** The token that it was exchanged for; null before. */
  readonly token_id: string | null;
}

type NewCode = Omit<CodeRow, 'token_id'>;

/** The challenge of a code that a nonce protects instead (RFC 9700 section 2.1.1): no verifier has this hash. */
export const NO_CHALLENGE = '';

const COLUMNS = `hash, application_id, user_id, session_id, redirect_uri, challenge, scopes, nonce, amr, authenticated_at,
  created_at, expires_at, token_id`;

/** Codes of a session. Further ones replace the oldest, so that the end of a session deletes few rows. */
export const MAX_CODES = 20;

const lockSession = prepareChange<Pick<CodeRow, 'session_id' | 'user_id'>>(
  'update sign_in_sessions set amr = amr where id = $session_id and user_id = $user_id',
);
/** At most 100, because earlier releases have stored more. */
const keepNewest = prepareRun<{ readonly session_id: string; readonly count: number }>(`
  delete from authorization_codes where hash in (
    select hash from authorization_codes where session_id = $session_id
    order by created_at desc limit 100 offset $count)`);
const insert = prepareRun<NewCode>(`
  insert into authorization_codes (${COLUMNS})
  values ($hash, $application_id, $user_id, $session_id, $redirect_uri, $challenge, $scopes, $nonce, $amr,
    $authenticated_at, $created_at, $expires_at, null)`);

/** Stores a code, and deletes the oldest ones of its session beyond the maximum. Returns false if the session has ended. */
export async function insertCode(tx: Tx, code: NewCode): Promise<boolean> {
  if (!(await lockSession(tx, code))) return false;
  await keepNewest(tx, { session_id: code.session_id, count: MAX_CODES - 1 });
  return (await insert(tx, code)) === 1;
}

/** Returns undefined also for a code of another application. */
export const findCode = prepareGet<CodeRow, Pick<CodeRow, 'hash' | 'application_id'>>(
  `select ${COLUMNS} from authorization_codes where hash = $hash and application_id = $application_id`,
);

/** Uses a code for a token, and returns it; undefined if it is another one's, has expired or was used. */
export const useCode = prepareGet<
  CodeRow,
  Pick<CodeRow, 'hash' | 'application_id' | 'redirect_uri' | 'challenge'> & {
    readonly now: number;
    readonly tokenId: string;
  },
  Tx
>(`
  update authorization_codes set token_id = $tokenId
  where hash = $hash and application_id = $application_id and redirect_uri = $redirect_uri
    and challenge = $challenge and expires_at > $now and token_id is null
  returning ${COLUMNS}`);

const deleteExpiredBefore = prepareRun<[before: number, limit: number]>(`
  delete from authorization_codes where hash in (
    select hash from authorization_codes where expires_at < $1 order by expires_at limit $2)`);

/** Deletes codes that expired more than a minute ago; until then, a second use of one is detected. Returns their number. */
export const deleteOldCodes = (tx: Tx, now: number, limit: number) =>
  deleteExpiredBefore(tx, now - MINUTE, limit);

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
