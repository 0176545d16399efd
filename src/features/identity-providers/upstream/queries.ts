import type { Tx } from '../../../database/database.ts';
import { prepareGet, prepareRun } from '../../../database/prepare.ts';
import { type MailedCodeRow, prepareCodes } from '../../people/sign-in/mailed-code-queries.ts';

/** A sign-in that has begun at a provider. The hashes are those of the state, and of the cookie of the browser. */
interface UpstreamRequestRow {
  readonly state_hash: string;
  readonly browser_hash: string;
  readonly provider_id: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly return_to: string | null;
  /** The session whose user links an identity; null for a sign-in. */
  readonly session_id: string | null;
  readonly expires_at: number;
}

export const insertRequest = prepareRun<UpstreamRequestRow>(`
  insert into upstream_requests
    (state_hash, browser_hash, provider_id, nonce, verifier, return_to, session_id, expires_at)
  values ($state_hash, $browser_hash, $provider_id, $nonce, $verifier, $return_to, $session_id, $expires_at)`);

/** Deletes and returns the request of this browser at this provider, which can be used once, also an expired one. */
export const takeRequest = prepareGet<
  UpstreamRequestRow,
  { state_hash: string; browser_hash: string; provider_id: string },
  Tx
>(`
  delete from upstream_requests
  where state_hash = $state_hash and browser_hash = $browser_hash and provider_id = $provider_id
  returning state_hash, browser_hash, provider_id, nonce, verifier, return_to, session_id, expires_at`);

/** An identity that is linked when the person in front of a browser has answered a question. */
export interface PendingRow extends MailedCodeRow {
  readonly browser_hash: string;
  readonly provider_id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  /** Normalized; null for an identity that a node of an earlier release has stored. */
  readonly email_key: string | null;
  /** Whether the provider has verified the email: 1 or 0. */
  readonly email_verified: number;
  readonly name: string | null;
  readonly created_at: number;
  readonly expires_at: number;
}

const COLUMNS = `browser_hash, provider_id, issuer, subject, email, email_key, email_verified, name, code_id,
  code_expires_at, code_tries, codes, created_at, expires_at`;

/** Stores an identity that waits in a browser, in place of the one before. */
export async function writePending(tx: Tx, row: PendingRow): Promise<void> {
  await deletePending(tx, row.browser_hash);
  await insertPending(tx, row);
}

const insertPending = prepareRun<PendingRow>(`
  insert into pending_identities (${COLUMNS}) values ($browser_hash, $provider_id, $issuer, $subject, $email, $email_key,
    $email_verified, $name, $code_id, $code_expires_at, $code_tries, $codes, $created_at, $expires_at)
  on conflict do nothing`);

export const deletePending = prepareRun<[browserHash: string]>(
  'delete from pending_identities where browser_hash = $1',
);

export const findPending = prepareGet<PendingRow, [browserHash: string, now: number]>(
  `select ${COLUMNS} from pending_identities where browser_hash = $1 and expires_at > $2`,
);

export const pendingCodes = prepareCodes('pending_identities', 'browser_hash');

/** Deletes requests that have expired at `now`; returns their number. */
export const deleteExpiredRequests = prepareRun<[now: number, limit: number]>(`
  delete from upstream_requests where state_hash in (
    select state_hash from upstream_requests where expires_at <= $1 order by expires_at limit $2)`);

/** Deletes identities whose question was not answered in time; returns their number. */
export const deleteExpiredPending = prepareRun<[now: number, limit: number]>(`
  delete from pending_identities where browser_hash in (
    select browser_hash from pending_identities where expires_at <= $1 order by expires_at limit $2)`);
