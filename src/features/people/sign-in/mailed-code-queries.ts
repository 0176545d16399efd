import type { Tx } from '../../../database/database.ts';
import { prepareChange, prepareGet, prepareRun } from '../../../database/prepare.ts';

/** The columns of a table whose rows wait for a code from the mail. */
export interface MailedCodeRow {
  /** The id from which the code is derived; null before. */
  readonly code_id: string | null;
  readonly code_expires_at: number | null;
  readonly code_tries: number;
  /** Number of codes that were mailed. */
  readonly codes: number;
}

export type MailedCodes = ReturnType<typeof prepareCodes>;

/** Returns the statements on the codes of a table, by the column with the hash of what its browser or client has. */
export const prepareCodes = (table: string, hash: string) => ({
  /**
   * Replaces the code, unless nobody has tried it and it expires after `untriedUntil`. Returns whether another one may be
   * mailed.
   */
  write: prepareChange<{
    hash: string;
    codeId: string;
    expiresAt: number;
    untriedUntil: number;
    maxCodes: number;
  }>(`
    update ${table} set code_id = $codeId, code_expires_at = $expiresAt, code_tries = 0, codes = codes + 1
    where ${hash} = $hash and codes < $maxCodes
      and (code_id is null or code_tries > 0 or code_expires_at <= $untriedUntil)`),
  /** Counts a try before the code is compared, and returns its id; undefined if there was none left. */
  useTry: prepareGet<{ readonly code_id: string }, { hash: string; now: number; maxTries: number }, Tx>(`
    update ${table} set code_tries = code_tries + 1
    where ${hash} = $hash and code_tries < $maxTries and code_id is not null and code_expires_at > $now
    returning code_id`),
});

/** A sign-in that waits for a code. Times in epoch milliseconds. */
export interface SignInCodeRow extends MailedCodeRow {
  /** The normalized email. */
  readonly email_key: string;
  /** A keyed hash of the network that has asked for the code. */
  readonly network: string;
  /** That of the challenge, which is derived from the id. */
  readonly hash: string;
  readonly id: string;
  readonly email: string;
  /** Of a person who signs up; null for a sign-in. */
  readonly name: string | null;
  readonly code_expires_at: number;
}

export const signInCodes = prepareCodes('sign_in_codes', 'hash');

type NewSignInCode = Omit<SignInCodeRow, keyof MailedCodeRow>;

const COLUMNS = 'email_key, network, hash, id, email, name, code_id, code_expires_at, code_tries, codes';

const deleteOther = prepareRun<NewSignInCode & { readonly now: number }>(`
  delete from sign_in_codes where email_key = $email_key and network = $network
    and (code_expires_at <= $now or coalesce(name, '') <> coalesce(cast($name as text), ''))`);

const insert = prepareGet<SignInCodeRow, NewSignInCode & { readonly now: number }, Tx>(`
  insert into sign_in_codes (email_key, network, hash, id, email, name, code_expires_at, code_tries, codes)
  values ($email_key, $network, $hash, $id, $email, $name, $now, 0, 0)
  on conflict (email_key, network) do update set codes = sign_in_codes.codes
  returning ${COLUMNS}`);

/**
 * Returns the sign-in of this person that waits in this network: a form or request that is sent again goes on with it.
 * Otherwise stores a new one, which has no code yet.
 */
export async function openSignInCode(tx: Tx, row: NewSignInCode, now: number): Promise<SignInCodeRow> {
  await deleteOther(tx, { ...row, now });
  return (await insert(tx, { ...row, now }))!;
}

export const findSignInCode = prepareGet<SignInCodeRow, [hash: string, now: number]>(
  `select ${COLUMNS} from sign_in_codes where hash = $1 and code_expires_at > $2`,
);

/** Deletes a sign-in, unless another code has replaced this one. Returns whether it was still there. */
export const takeSignInCode = prepareChange<{ hash: string; codeId: string }>(
  'delete from sign_in_codes where hash = $hash and code_id = $codeId',
);

/** Deletes sign-ins whose code has expired at `now`; returns their number. */
export const deleteExpiredSignInCodes = prepareRun<[now: number, limit: number]>(`
  delete from sign_in_codes where (email_key, network) in (
    select email_key, network from sign_in_codes where code_expires_at <= $1 order by code_expires_at limit $2)`);
