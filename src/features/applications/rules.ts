/** Rules of applications: pure functions. */
import { isId } from '../../lib/secrets/ids.ts';
import { normalizeName } from '../../lib/text/names.ts';
import { catalogue, Problem } from '../../problems/problem.ts';
import { details, type MemberErrors, validationFailed } from '../../problems/validation-failed.ts';
import type { RecordedChange } from '../events/record-event.ts';
import { toStoredScopes } from '../tokens/scopes.ts';
import type { Algorithm } from '../tokens/signing-keys/queries.ts';
import type { ApplicationRow } from './queries.ts';
import { isRedirectUri } from './redirect-uris.ts';

export const MAX_APPLICATIONS = 100;
export const MAX_REDIRECT_URIS = 20;

/** The members that the administrator can change. */
export interface ApplicationChanges {
  readonly name?: string;
  readonly redirect_uris?: readonly string[];
  readonly post_logout_redirect_uris?: readonly string[];
  readonly scopes?: readonly string[];
  readonly token_lifetime_days?: number | null;
  readonly id_token_alg?: Algorithm;
}

const MEMBERS = [
  'name',
  'redirect_uris',
  'post_logout_redirect_uris',
  'scopes',
  'token_lifetime_days',
  'id_token_alg',
] as const satisfies readonly (keyof ApplicationChanges)[];

/** Returns the application after the changes. @throws Problem validation_failed for URIs that it cannot have */
export function applyChanges(row: ApplicationRow, changes: ApplicationChanges): ApplicationRow {
  const { name = row.name, redirect_uris, post_logout_redirect_uris, scopes } = changes;
  checkUris(row, { redirect_uris, post_logout_redirect_uris });
  const { token_lifetime_days = row.token_lifetime_days, id_token_alg = row.id_token_alg } = changes;
  const store = (uris: readonly string[] | undefined, before: string) =>
    uris === undefined ? before : JSON.stringify([...new Set(uris)]);
  return {
    ...row,
    name,
    name_key: normalizeName(name),
    redirect_uris: store(redirect_uris, row.redirect_uris),
    post_logout_redirect_uris: store(post_logout_redirect_uris, row.post_logout_redirect_uris),
    scopes: scopes === undefined ? row.scopes : toStoredScopes(scopes),
    token_lifetime_days,
    id_token_alg,
  };
}

const URI_RULE =
  'must contain https URIs, http URIs of localhost, 127.0.0.1 or [::1], or, for a public application, URIs of a private-use scheme such as com.example.app:/callback: in their normal form, without user, fragment and wildcard.';

function checkUris(
  { kind }: Pick<ApplicationRow, 'kind'>,
  given: Readonly<Record<string, readonly string[] | undefined>>,
): void {
  const wrong = Object.entries(given).filter(([, uris]) => uris?.some((uri) => !isRedirectUri(uri, kind)));
  if (wrong.length === 0) return;
  const errors: MemberErrors = Object.fromEntries(
    wrong.map(([member]) => [member, [`The ${member} field ${URI_RULE}`]]),
  );
  throw validationFailed(errors);
}

/** Returns the names of the changed members for the record of events. */
export function listChanges(before: ApplicationRow, after: ApplicationRow): RecordedChange[] {
  return MEMBERS.filter((name) => before[name] !== after[name]).map((name) => ({ name }));
}

export function nameTaken(): Problem {
  const errors = { name: [catalogue.application_name_taken.text] };
  return new Problem('application_name_taken', { errors, details: details(errors) });
}

/** @throws Problem application_not_found for a text that cannot be an id, which saves a query */
export function parseApplicationId(id: string): string {
  if (!isId(id)) throw new Problem('application_not_found');
  return id;
}
