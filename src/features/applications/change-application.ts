/** Changes and deletes applications, if they still have the expected version. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DatabaseDeps, Tx } from '../../database/database.ts';
import { recordEvent } from '../events/record-event.ts';
import { deleteTokensOfApplication } from '../people/tokens/queries.ts';
import { checkVersion, type VersionCheck } from '../users/records/rules.ts';
import { formatApplicationSubject, lockApplications } from './create-application.ts';
import {
  type ApplicationRow,
  deleteApplication as deleteRow,
  findApplication,
  isNameTaken,
  updateApplication as updateRow,
} from './queries.ts';
import {
  type ApplicationChanges,
  applyChanges,
  listChanges,
  nameTaken,
  requireApplication,
} from './rules.ts';

/**
 * Returns the application after the change. Changes without effect keep the version.
 * @throws Problem application_not_found, application_name_taken, precondition_failed, validation_failed
 */
export async function updateApplication(
  { database, clock }: DatabaseDeps,
  { id, changes, isExpected }: { id: string; changes: ApplicationChanges; isExpected: VersionCheck },
): Promise<ApplicationRow> {
  return database.transaction(async (tx) => {
    const before = await lockExpected(tx, id, isExpected);
    const after = applyChanges(before, changes);
    const changedMembers = listChanges(before, after);
    if (changedMembers.length === 0) return before;
    if (await isNameTaken(tx, after.name_key, id)) throw nameTaken();
    const now = clock();
    const row = { ...after, updated_at: now, version: before.version + 1 };
    await updateRow(tx, row);
    const event = { type: 'application.updated', subject: formatApplicationSubject(id) } as const;
    await recordEvent(tx, { ...event, changes: changedMembers, details: { name: row.name }, now });
    return row;
  });
}

/** @throws Problem application_not_found, precondition_failed */
async function lockExpected(tx: Tx, id: string, isExpected: VersionCheck): Promise<ApplicationRow> {
  await lockApplications(tx);
  const application = requireApplication(await findApplication(tx, id));
  checkVersion(application, isExpected);
  return application;
}

const BATCH_SIZE = 500;

/**
 * Deletes an application, its secrets and its codes, which ends its tokens; then these, in batches, so that no transaction
 * takes long. @throws Problem application_not_found, precondition_failed
 */
export async function deleteApplication(
  { database, clock }: DatabaseDeps,
  id: string,
  isExpected: VersionCheck,
): Promise<void> {
  await database.transaction(async (tx) => {
    const { name } = await lockExpected(tx, id, isExpected);
    await deleteRow(tx, id);
    const event = {
      type: 'application.deleted',
      subject: formatApplicationSubject(id),
      details: { name },
    } as const;
    await recordEvent(tx, { ...event, now: clock() });
  });
  const deleteBatch = () =>
    database.transaction((tx) => deleteTokensOfApplication(tx, id, BATCH_SIZE), { isLong: true });
  while ((await deleteBatch()) === BATCH_SIZE) await nextTurn();
}
