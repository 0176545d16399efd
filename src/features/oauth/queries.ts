import type { Tx } from '../../database/database.ts';
import { prepareChange, prepareGet, prepareRun } from '../../database/prepare.ts';

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
  /** Scopes of OpenID Connect, separated by spaces. */
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

/** The challenge of a code that a nonce protects instead (RFC 9700 section 2.1.1): no verifier has this hash. */
export const NO_CHALLENGE = '';

const COLUMNS = `hash, application_id, user_id, session_id, redirect_uri, challenge, scopes, nonce, amr, authenticated_at,
  created_at, expires_at, token_id`;

/** Stores a code unless the session has ended meanwhile. */
export const insertCode = prepareChange<Omit<CodeRow, 'token_id'>>(`
  insert into authorization_codes (${COLUMNS})
  select $hash, $application_id, $user_id, $session_id, $redirect_uri, $challenge, $scopes, $nonce, $amr,
    $authenticated_at, $created_at, $expires_at, null
  from sign_in_sessions where id = $session_id and user_id = $user_id`);

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

/** Deletes codes that expired before this time; returns their number. */
export const deleteOldCodes = prepareRun<[before: number, limit: number]>(`
  delete from authorization_codes where hash in (
    select hash from authorization_codes where expires_at < $1 order by expires_at limit $2)`);
