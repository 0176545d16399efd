import { type Reader, sql, type Tx } from '../../../database/database.ts';

/** The step that a link completes. */
export const LINK_KINDS = ['verify_email', 'change_email', 'reset_password', 'claim_account'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

export interface LinkRow {
  readonly kind: LinkKind;
  readonly user_id: string;
  /** The address that the link was sent to. */
  readonly email: string;
}

export interface NewLink {
  /** SHA-256 of the token in hex. */
  readonly hash: string;
  readonly kind: LinkKind;
  readonly userId: string;
  readonly email: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

const INSERT = sql(`
  insert into account_links (hash, kind, user_id, email, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6)`);

export async function insertLink(tx: Tx, link: NewLink): Promise<void> {
  const { hash, kind, userId, email, createdAt, expiresAt } = link;
  await tx.run(INSERT, hash, kind, userId, email, createdAt, expiresAt);
}

const FIND = sql<LinkRow>(
  'select kind, user_id, email from account_links where hash = $1 and expires_at > $2',
);

/** Returns undefined for unknown, used and, at `now`, expired links alike. */
export function findLinkByHash(reader: Reader, hash: string, now: number): Promise<LinkRow | undefined> {
  return reader.get(FIND, hash, now);
}

const DELETE = sql('delete from account_links where hash = $1');

/** Returns false when another request has used the link meanwhile. */
export async function deleteLink(tx: Tx, hash: string): Promise<boolean> {
  return (await tx.run(DELETE, hash)) === 1;
}

const DELETE_OF_USER = sql('delete from account_links where user_id = $1');

/** Deletes the pending links of a user, of all kinds. */
export async function deleteLinksOfUser(tx: Tx, userId: string): Promise<void> {
  await tx.run(DELETE_OF_USER, userId);
}

const DELETE_OTHERS = sql('delete from account_links where user_id = $1 and kind = $2 and email <> $3');

/** Deletes the pending links of a user that complete one step and were sent to another address. */
export async function deleteLinksToOthers(
  tx: Tx,
  { userId, kind, email }: { readonly userId: string; readonly kind: LinkKind; readonly email: string },
): Promise<void> {
  await tx.run(DELETE_OTHERS, userId, kind, email);
}

/** When and where a link was sent. */
export interface IssuedLink {
  readonly email: string;
  /** Epoch milliseconds. */
  readonly created_at: number;
}

const SENT = sql<IssuedLink>(`
  select email, created_at from account_links where user_id = $1 and kind = $2 and created_at > $3`);

/** Returns the pending links of a user that complete one step and were created after `since`. */
export function findLinksSince(
  reader: Reader,
  { userId, kind, since }: { readonly userId: string; readonly kind: LinkKind; readonly since: number },
): Promise<IssuedLink[]> {
  return reader.all(SENT, userId, kind, since);
}

const DELETE_EXPIRED = sql(`
  delete from account_links where hash in (
    select hash from account_links where expires_at <= $1 order by expires_at limit $2)`);

/** Deletes links that have expired; returns their number. */
export function deleteExpiredLinks(tx: Tx, now: number, limit: number): Promise<number> {
  return tx.run(DELETE_EXPIRED, now, limit);
}
