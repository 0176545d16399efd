import { prepareAll, prepareChange, prepareGet, prepareRun } from '../../../database/prepare.ts';

export const LINK_KINDS = ['verify_email', 'change_email', 'reset_password', 'claim_account'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

export interface LinkRow {
  readonly kind: LinkKind;
  readonly user_id: string;
  readonly email: string;
}

/** Stores a link. `hash`: SHA-256 of the token in hex. Times in epoch milliseconds. */
export const insertLink = prepareRun<
  LinkRow & { readonly hash: string; readonly created_at: number; readonly expires_at: number }
>(`
  insert into account_links (hash, kind, user_id, email, created_at, expires_at)
  values ($hash, $kind, $user_id, $email, $created_at, $expires_at)`);

/** A used link is kept until it would have expired, so that its page can say what it has done. */
type StoredLink = Omit<LinkRow, 'kind'> & { readonly kind: LinkKind | `used:${LinkKind}` };

/** Returns undefined for unknown and, at `now`, expired links alike. */
export const findLinkByHash = prepareGet<StoredLink, [hash: string, now: number]>(
  'select kind, user_id, email from account_links where hash = $1 and expires_at > $2',
);

/** Marks a link as used. Returns false when another request has done so meanwhile. */
export const useLink = prepareChange<[hash: string]>(
  "update account_links set kind = 'used:' || kind where hash = $1 and kind not like 'used:%'",
);

/** Deletes a link that nobody has received. */
export const deleteLink = prepareRun<[hash: string]>('delete from account_links where hash = $1');

/** Deletes the pending links of a user, of all kinds. */
export const deleteLinksOfUser = prepareRun<[userId: string]>(
  "delete from account_links where user_id = $1 and kind not like 'used:%'",
);

/** Deletes the pending links of a user that complete one step and were sent to another address. */
export const deleteLinksToOthers = prepareRun<{ userId: string; kind: LinkKind; email: string }>(
  'delete from account_links where user_id = $userId and kind = $kind and email <> $email',
);

/** Returns the pending links of a user that complete one step and were created after `since`. */
export const findLinksSince = prepareAll<
  { readonly email: string; readonly created_at: number },
  { userId: string; kind: LinkKind; since: number }
>(`
  select email, created_at from account_links
  where user_id = $userId and kind = $kind and created_at > $since`);

/** The new address that a user has requested, until links to it expire. */
export const requestedEmail = {
  find: prepareGet<{ readonly email: string; readonly until: number }, [userId: string, now: number]>(`
    select requested_email as email, requested_email_until as until from users
    where id = $1 and requested_email is not null and requested_email_until > $2`),
  write: prepareRun<{ userId: string; email: string; until: number }>(
    'update users set requested_email = $email, requested_email_until = $until where id = $userId',
  ),
  remove: prepareRun<[userId: string]>(
    'update users set requested_email = null where id = $1 and requested_email is not null',
  ),
};

/** Deletes links that have expired; returns their number. */
export const deleteExpiredLinks = prepareRun<[now: number, limit: number]>(`
  delete from account_links where hash in (
    select hash from account_links where expires_at <= $1 order by expires_at limit $2)`);
