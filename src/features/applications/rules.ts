/** Rules of applications: pure functions. */
import type { SchemaValue } from '../../lib/schema/json-schema.ts';
import { normalizeName } from '../../lib/text/normalize.ts';
import { alreadyTaken, validationFailed } from '../../problems/validation-failed.ts';
import { toStoredScopes } from '../people/tokens/scopes.ts';
import { type ApplicationRow, updateApplicationSchema } from './application.ts';
import { applyProgramChanges } from './program-settings.ts';
import { isRedirectUri } from './redirect-uris.ts';

export type ApplicationChanges = SchemaValue<typeof updateApplicationSchema>;

/** Returns the application after the changes. @throws Problem validation_failed for URIs that it cannot have */
export function applyChanges(row: ApplicationRow, changes: ApplicationChanges): ApplicationRow {
  const { name = row.name, scopes, jwt_audiences, token_lifetime_days = row.token_lifetime_days } = changes;
  return {
    ...row,
    ...{ name, name_key: normalizeName(name), token_lifetime_days },
    redirect_uris: toStoredUris('redirect_uris', row, changes),
    post_logout_redirect_uris: toStoredUris('post_logout_redirect_uris', row, changes),
    scopes: scopes === undefined ? row.scopes : toStoredScopes(scopes),
    jwt_audiences: jwt_audiences ? JSON.stringify([...new Set(jwt_audiences)]) : row.jwt_audiences,
    id_token_alg: changes.id_token_alg ?? row.id_token_alg,
    allowed_groups: toStoredGroups(row, changes),
    require_pkce: Number(changes.require_pkce ?? row.require_pkce),
    ...applyProgramChanges(row, changes),
  };
}

/** @throws Problem validation_failed for audiences that the operator has not configured */
export function checkAudiences({ jwt_audiences = [] }: ApplicationChanges, configured: readonly string[]) {
  if (jwt_audiences.every((audience) => configured.includes(audience))) return;
  throw validationFailed({
    jwt_audiences: ['The jwt_audiences field must contain names of JWT_AUDIENCES only.'],
  });
}

function toStoredGroups(row: ApplicationRow, { allowed_groups: groups }: ApplicationChanges): string | null {
  if (groups === undefined) return row.allowed_groups;
  return groups === null ? null : JSON.stringify([...new Set(groups)].sort());
}

/** Returns the ids of groups that a change adds. */
export function listNewGroups(before: ApplicationRow, { allowed_groups: groups }: ApplicationChanges) {
  return (groups ?? []).filter((id) => !before.allowed_groups?.includes(JSON.stringify(id)));
}

const URI_RULE =
  'must contain https URIs, http URIs of localhost, 127.0.0.1 or [::1], or, for a public application, URIs of a private-use scheme such as com.example.app:/callback: in their normal form, without user, fragment and wildcard.';

function toStoredUris(
  member: 'redirect_uris' | 'post_logout_redirect_uris',
  row: ApplicationRow,
  { [member]: uris }: ApplicationChanges,
): string {
  if (uris === undefined) return row[member];
  if (!uris.every((uri) => isRedirectUri(uri, row.kind)))
    throw validationFailed({ [member]: [`The ${member} field ${URI_RULE}`] });
  return JSON.stringify([...new Set(uris)]);
}

const MEMBERS = Object.keys(updateApplicationSchema.properties) as (keyof ApplicationChanges)[];

/** Returns the names of the changed members for the record of events. */
export function listChanges(before: ApplicationRow, after: ApplicationRow) {
  return MEMBERS.filter((name) => before[name] !== after[name]).map((name) => ({ name }));
}

export const nameTaken = () => alreadyTaken('application_name_taken', 'name');

/** Returns the subject of the events of an application. */
export const formatApplicationSubject = (id: string) => `application:${id}`;
