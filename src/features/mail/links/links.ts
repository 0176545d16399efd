/**
 * Links that complete a step of an account: single-use random tokens, stored as hashes (OWASP Forgot Password Cheat
 * Sheet). Opening a link changes nothing; the step needs a request of its own.
 */
import type { Reader, Tx } from '../../../database/database.ts';
import { toSearch } from '../../../lib/routes/routes.ts';
import { hashToken, isRandomToken, newRandomToken } from '../../../lib/secrets/tokens.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { DAY, HOUR } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordDropped } from '../messages/end-message.ts';
import { deleteLinkMail, deleteResetRequests } from '../queries.ts';
import {
  deleteLinksOfUser,
  findLinkByHash,
  insertLink,
  LINK_KINDS,
  type LinkKind,
  type LinkRow,
  requestedEmail,
  useLink,
} from './queries.ts';

/** Milliseconds for which a link is valid. */
export const LINK_LIFETIME_MS: Readonly<Record<LinkKind, number>> = {
  reset_password: HOUR,
  change_email: DAY,
  verify_email: 7 * DAY,
  claim_account: 7 * DAY,
};

/** Stores a link and returns its token, which is not stored. */
export async function createLink(
  tx: Tx,
  { kind, userId, email, now }: { kind: LinkKind; userId: string; email: string; now: number },
): Promise<string> {
  const token = newRandomToken();
  await insertLink(tx, {
    hash: hashToken(token),
    kind,
    user_id: userId,
    email,
    created_at: now,
    expires_at: now + LINK_LIFETIME_MS[kind],
  });
  return token;
}

export interface PresentedLink {
  readonly token: string;
  readonly kinds: readonly LinkKind[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Returns a valid link of one of these kinds and leaves it valid. @throws Problem link_not_found */
export async function findLink(reader: Reader, { token, kinds, now }: PresentedLink): Promise<LinkRow> {
  const link = await findStored(reader, token, now);
  const kind = kinds.find((each) => each === link?.kind);
  if (link === undefined || kind === undefined) throw new Problem('link_not_found');
  return { ...link, kind };
}

/** Returns a link that has done its work; undefined for others, and after its lifetime. */
export async function findUsedLink(reader: Reader, token: string, now: number): Promise<LinkRow | undefined> {
  const link = await findStored(reader, token, now);
  const kind = LINK_KINDS.find((each) => link?.kind === `used:${each}`);
  return link && kind && { ...link, kind };
}

/** A text that cannot be a token needs no query. */
const findStored = async (reader: Reader, token: string, now: number) =>
  isRandomToken(token) ? findLinkByHash(reader, hashToken(token), now) : undefined;

/** Returns the link and makes it invalid, once over all nodes. @throws Problem link_not_found */
export async function consumeLink(tx: Tx, presented: PresentedLink): Promise<LinkRow> {
  const link = await findLink(tx, presented);
  if (!(await useLink(tx, hashToken(presented.token)))) throw new Problem('link_not_found');
  return link;
}

export const LINK_PATHS: Readonly<Record<LinkKind, string>> = {
  reset_password: '/account/reset-password/',
  claim_account: '/account/claim/',
  verify_email: '/account/verify-email/',
  change_email: '/account/change-email/',
};

interface LinkTarget {
  readonly kind: LinkKind;
  readonly token: string;
  /** Where the page leads afterwards; the page checks again whether it is allowed. */
  readonly redirectTo?: string | undefined;
  readonly returnTo?: string | undefined;
  /** The language of the message, which the page has, too. */
  readonly lang?: string | null | undefined;
}

/** Returns the URL of a link. `baseUrl` is a setting, never the Host header, which the sender of a request chooses. */
export function linkUrl(baseUrl: string, { kind, token, redirectTo, returnTo, lang }: LinkTarget): string {
  const way = { redirect_to: redirectTo, return_to: returnTo, lang };
  return `${baseUrl}${LINK_PATHS[kind]}${token}${toSearch(way)}`;
}

/**
 * Revokes the pending links of a user, and those whose message has not been sent: the link would be created later.
 * The messages first: a delivery that creates a link at the same time is waited for, and its link is deleted then.
 */
export async function revokeLinks(
  tx: Tx,
  { id, email }: { readonly id: string; readonly email: string | null },
  now: number,
): Promise<void> {
  const own = await deleteLinkMail(tx, id);
  const requested = email === null ? [] : await deleteResetRequests(tx, normalizeEmail(email));
  await deleteLinksOfUser(tx, id);
  await requestedEmail.remove(tx, id);
  await recordDropped(tx, [...own, ...requested.map((mail) => ({ ...mail, user_id: id }))], now);
}
