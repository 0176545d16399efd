/** Claims about a person (OpenID Connect Core 1.0 section 5). */
import type { Reader } from '../../database/database.ts';
import { readCustomClaims } from '../users/records/custom-claims.ts';
import { listGroupsOfUser } from '../users/records/group-queries.ts';
import type { UserRow } from '../users/records/queries.ts';

/** Returns the claims that the scopes permit (section 5.4), and those of `app_metadata.claims`. */
export async function readClaims(reader: Reader, user: UserRow, scopes: readonly string[]) {
  const { id, name, email, email_verified_at, app_metadata } = user;
  const hasEmail = scopes.includes('email') && email !== null;
  return {
    ...readCustomClaims(app_metadata),
    sub: id,
    ...(scopes.includes('profile') && name !== null ? { name } : {}),
    ...(hasEmail ? { email, email_verified: email_verified_at !== null } : {}),
    ...(scopes.includes('groups') ? { groups: await listGroupsOfUser(reader, id) } : {}),
  };
}
