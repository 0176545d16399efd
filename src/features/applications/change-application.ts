/** Creates, changes and deletes applications, and replaces their secrets. */
import type { DatabaseDeps, Tx } from '../../database/database.ts';
import { isId, newId } from '../../lib/secrets/ids.ts';
import { getFirstCharacters, hashToken, newApplicationSecret } from '../../lib/secrets/tokens.ts';
import { Problem } from '../../problems/problem.ts';
import { validationFailed } from '../../problems/validation-failed.ts';
import { findGroup } from '../groups/queries.ts';
import { deleteForbiddenOfApplication, deleteTokensOfApplication } from '../people/tokens/queries.ts';
import {
  addRecordEvent,
  changeRecord,
  deleteInBatches,
  deleteRecord,
  type ExpectedRecord,
  lockRecord,
} from '../records/change-record.ts';
import { type ApplicationRow, applicationView, MAX_APPLICATIONS } from './application.ts';
import { PROGRAM_DEFAULTS } from './program-settings.ts';
import * as queries from './queries.ts';
import { type ApplicationChanges, applyChanges, listNewGroups, nameTaken } from './rules.ts';

const INITIAL = {
  name: '',
  name_key: '',
  redirect_uris: '[]',
  post_logout_redirect_uris: '[]',
  scopes: 'self:read',
  token_lifetime_days: null,
  jwt_audiences: '[]',
  id_token_alg: 'RS256',
  require_pkce: 0,
  ...PROGRAM_DEFAULTS,
  allowed_groups: null,
  rotated_at: null,
  previous_until: null,
  version: 1,
} as const;

/**
 * Returns the application with its secret, which is not stored: null for a public one.
 * @throws Problem validation_failed, application_name_taken, too_many_applications
 */
export async function createApplication(
  tx: Tx,
  { kind, ...given }: ApplicationChanges & Pick<ApplicationRow, 'kind'>,
  now: number,
) {
  const secret = kind === 'web' ? newApplicationSecret() : null;
  const first_characters = secret && getFirstCharacters(secret);
  const initial = { ...INITIAL, id: newId(), kind, first_characters, created_at: now, updated_at: now };
  const application = applyChanges(initial, given);
  const { id, name_key } = application;
  await checkGroups(tx, initial, given);
  await queries.lockApplications(tx);
  if (await queries.isNameTaken(tx, name_key, id)) throw nameTaken();
  if ((await queries.countApplications(tx)) >= MAX_APPLICATIONS) throw new Problem('too_many_applications');
  await queries.insertApplication(tx, application);
  if (secret !== null) await queries.insertSecret(tx, hashToken(secret), id);
  await addRecordEvent(tx, queries.applicationStore, { type: 'application.created', row: application, now });
  return { ...applicationView(application, now), client_secret: secret };
}

/**
 * A rotation within the overlap of the last one ends the validity of the oldest of the three secrets at once.
 * @throws Problem application_not_found, application_without_secret
 */
export async function rotateApplicationSecret(
  tx: Tx,
  { id, overlapSeconds }: { readonly id: string; readonly overlapSeconds: number },
  now: number,
) {
  const before = await lockRecord(tx, queries.applicationStore, id);
  if (before.kind === 'public') throw new Problem('application_without_secret');
  const secret = newApplicationSecret();
  const previous_until = now + overlapSeconds * 1000;
  const first_characters = getFirstCharacters(secret);
  const version = before.version + 1;
  const times = { updated_at: now, rotated_at: now, previous_until };
  const application = { ...before, ...times, first_characters, version };
  await queries.limitSecrets(tx, id, previous_until);
  await queries.insertSecret(tx, hashToken(secret), id);
  await queries.applicationStore.update(tx, application);
  const event = { type: 'application.secret_rotated', row: application, now } as const;
  await addRecordEvent(tx, queries.applicationStore, {
    ...event,
    details: { overlap_seconds: overlapSeconds },
  });
  return { ...applicationView(application, now), client_secret: secret };
}

/**
 * Without `refresh`, the application has no refresh tokens any more. Tokens that it may not have are deleted before the
 * change, too: it would make those valid again that an earlier one has left, whose node was killed.
 * @throws Problem application_not_found, application_name_taken, precondition_failed, validation_failed
 */
export async function updateApplication(
  deps: DatabaseDeps,
  expected: ExpectedRecord,
  changes: ApplicationChanges,
): Promise<ApplicationRow> {
  const change = async (before: ApplicationRow, tx: Tx) => {
    const after = applyChanges(before, changes);
    if (await queries.isNameTaken(tx, after.name_key, before.id)) throw nameTaken();
    await checkGroups(tx, before, changes);
    return after;
  };
  const deleteForbidden = async () => {
    if (!isId(expected.id) || (changes.refresh === undefined && changes.allowed_groups === undefined)) return;
    await deleteInBatches(deps.database, (tx, limit) => deleteForbiddenOfApplication(tx, expected.id, limit));
  };
  await deleteForbidden();
  const after = await changeRecord(deps, queries.applicationStore, { ...expected, change });
  await deleteForbidden();
  return after;
}

/** @throws Problem validation_failed for groups that do not exist */
async function checkGroups(tx: Tx, before: ApplicationRow, changes: ApplicationChanges): Promise<void> {
  for (const id of listNewGroups(before, changes)) {
    if ((await findGroup(tx, id)) === undefined)
      throw validationFailed({ allowed_groups: ['The selected allowed_groups is invalid.'] });
  }
}

/**
 * Deletes an application, its secrets and its codes, which ends its tokens; then these, in batches.
 * @throws Problem application_not_found, precondition_failed
 */
export async function deleteApplication(deps: DatabaseDeps, expected: ExpectedRecord): Promise<void> {
  await deleteRecord(deps, queries.applicationStore, expected);
  await deleteInBatches(deps.database, (tx, limit) => deleteTokensOfApplication(tx, expected.id, limit));
}
