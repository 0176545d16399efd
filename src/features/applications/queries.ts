import type { Reader, Tx } from '../../database/database.ts';
import { prepareExists, prepareRun, prepareTable } from '../../database/prepare.ts';
import { lockSetting } from '../../database/settings.ts';
import { isId } from '../../lib/secrets/ids.ts';
import { isInGroups } from '../people/tokens/queries.ts';
import type { RecordStore } from '../records/change-record.ts';
import type { ApplicationRow } from './application.ts';
import { PROGRAM_COLUMNS } from './program-settings.ts';
import { addParameters, isRegistered, toPolicySource } from './redirect-uris.ts';
import { listChanges } from './rules.ts';

const table = prepareTable<ApplicationRow>('applications', [
  ...(['id', 'name', 'name_key', 'kind', 'redirect_uris', 'post_logout_redirect_uris', 'scopes'] as const),
  ...(['token_lifetime_days', 'jwt_audiences', 'id_token_alg', 'require_pkce', 'allowed_groups'] as const),
  ...PROGRAM_COLUMNS,
  ...(['first_characters', 'created_at', 'updated_at', 'rotated_at', 'previous_until', 'version'] as const),
]);
export const { list: listApplications, count: countApplications, insert: insertApplication } = table;

/** Lets changes of applications run one after the other, because no two of them have the same name. */
export const lockApplications = (tx: Tx) => lockSetting(tx, 'applications');

export const applicationStore: RecordStore<ApplicationRow> = {
  kind: 'application',
  ...table,
  async lock(tx, id) {
    await lockApplications(tx);
    return table.find(tx, id);
  },
  listChanges,
  getDetails: ({ name }) => ({ name }),
};

/** Returns undefined also for a text that cannot be an id, which saves a query. */
export async function findApplication(reader: Reader, id = ''): Promise<ApplicationRow | undefined> {
  return isId(id) ? table.find(reader, id) : undefined;
}

export const isNameTaken = prepareExists<[nameKey: string, otherThan: string]>(
  'select id from applications where name_key = $1 and id <> $2',
);

const isInOne = prepareExists<[userId: string, groupIds: string]>(
  `select 1 where ${isInGroups('$1', 'cast($2 as text)')}`,
);

/** Whether the application is for this user: for everybody, or the members of some groups. */
export async function isAllowed(
  reader: Reader,
  { allowed_groups }: Pick<ApplicationRow, 'allowed_groups'>,
  userId: string,
): Promise<boolean> {
  return allowed_groups === null || isInOne(reader, userId, allowed_groups);
}

/** Stores the hash of a secret, which is accepted until it is replaced. */
export const insertSecret = prepareRun<[hash: string, applicationId: string]>(
  'insert into application_secrets (hash, application_id) values ($1, $2)',
);

/** Whether the application has this secret at `now`. */
export const hasSecret = prepareExists<[hash: string, applicationId: string, now: number]>(`
  select hash from application_secrets
  where hash = $1 and application_id = $2 and (valid_until is null or valid_until > $3)`);

const deleteReplaced = prepareRun<[applicationId: string]>(
  'delete from application_secrets where application_id = $1 and valid_until is not null',
);
const limitCurrent = prepareRun<[applicationId: string, validUntil: number]>(
  'update application_secrets set valid_until = $2 where application_id = $1',
);

/** Limits the validity of the current secret, and deletes one that was replaced before. */
export async function limitSecrets(tx: Tx, id: string, validUntil: number): Promise<void> {
  await deleteReplaced(tx, id);
  await limitCurrent(tx, id, validUntil);
}

const CANCELLED = { error: 'access_denied', error_description: 'The person has not signed in' };

/**
 * Returns the name of the application to which a `return_to` such as `/oauth/authorize?client_id=…` leads, and the source
 * of its redirect URI for `form-action`, because browsers apply this directive to redirects of forms as well. Null for
 * other paths, and requests that will be rejected.
 */
export async function findReturnApplication(reader: Reader, returnTo: string) {
  const [path, query] = returnTo.split('?', 2);
  if (path !== '/oauth/authorize') return null;
  const { client_id, redirect_uri = '', state } = Object.fromEntries(new URLSearchParams(query));
  const application = await findApplication(reader, client_id);
  if (application === undefined || !isRegistered(application.redirect_uris, redirect_uri, application.kind))
    return null;
  return {
    name: application.name,
    formActionSource: toPolicySource(redirect_uri),
    /** Returns the URL that tells the application that nobody has signed in (RFC 6749 section 4.1.2.1, RFC 9207). */
    toDenialUrl: (iss: string) => addParameters(redirect_uri, { ...CANCELLED, state, iss }),
  };
}
