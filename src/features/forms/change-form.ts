/** Creates, changes and deletes forms. Changes without effect keep the revision. */
import { isDeepStrictEqual } from 'node:util';
import type { DatabaseDeps, Tx } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { Problem } from '../../problems/problem.ts';
import type { EventType } from '../events/event-types.ts';
import { recordEvent } from '../events/record-event.ts';
import { deleteInBatches } from '../records/change-record.ts';
import { findChangedTypes } from './definitions/check-fields.ts';
import { getForm, parseDefinition, parseFormId } from './definitions/definition.ts';
import { definitionProblem, type GivenForm } from './definitions/read-form.ts';
import * as queries from './queries.ts';
import { deleteSubmissions } from './submissions/queries.ts';

export interface FormWithDraft {
  readonly form: queries.FormRow;
  readonly definition: GivenForm['definition'];
}

export async function createForm(tx: Tx, given: GivenForm, now: number): Promise<FormWithDraft> {
  const { definition, settings } = given;
  const form: queries.FormRow = {
    ...settings,
    ...{ id: newId(), title: definition.title, created_at: now, updated_at: now },
    ...{ state: 'draft', draft_version: 1, published_version: null, revision: 1 },
  };
  await queries.insertForm(tx, form);
  await queries.insertVersion(tx, form.id, 1, JSON.stringify(definition), now);
  await recordEvent(tx, { type: 'form.created', subject: `form:${form.id}`, now });
  return { form, definition };
}

/** Creates a form with the draft and the settings of another one. @throws Problem form_not_found */
export async function duplicateForm(tx: Tx, id: string, now: number): Promise<FormWithDraft> {
  const settings = await getForm(tx, id);
  return createForm(tx, { settings, definition: await readDraft(tx, settings) }, now);
}

async function readDraft(tx: Tx, { id, draft_version }: queries.FormRow) {
  return parseDefinition(await queries.getVersion(tx, id, draft_version));
}

interface FormChange {
  readonly id: string;
  readonly isExpected: (revision: number) => boolean;
}

/** @throws Problem form_not_found, precondition_failed */
async function lockExpected(tx: Tx, { id, isExpected }: FormChange): Promise<queries.FormRow> {
  const form = await queries.lockForm(tx, parseFormId(id));
  if (form === undefined) throw new Problem('form_not_found');
  if (!isExpected(form.revision)) throw new Problem('precondition_failed');
  return form;
}

/**
 * Replaces the settings, and the draft by a new version unless it is the same.
 * @throws Problem form_not_found, precondition_failed, field_type_changed
 */
export function replaceForm(
  { database, clock }: DatabaseDeps,
  change: FormChange,
  { definition, settings }: GivenForm,
): Promise<FormWithDraft> {
  return database.transaction(async (tx) => {
    const form = await lockExpected(tx, change);
    const now = clock();
    const draft_version = await storeDraft(tx, form, { definition, now });
    const changed = { ...form, ...settings, title: definition.title, draft_version };
    if (isDeepStrictEqual(changed, form)) return { form, definition };
    return {
      form: await store(tx, changed, { type: 'form.updated', version: draft_version, now }),
      definition,
    };
  });
}

/** Returns the number of the draft, which is a new version if the definition differs. */
async function storeDraft(
  tx: Tx,
  { id, draft_version }: queries.FormRow,
  { definition, now }: Pick<GivenForm, 'definition'> & { readonly now: number },
): Promise<number> {
  const text = JSON.stringify(definition);
  if ((await queries.getVersion(tx, id, draft_version)).definition === text) return draft_version;
  const published = (await queries.listPublishedVersions(tx, id)).map((row) => parseDefinition(row).fields);
  const failures = findChangedTypes(definition.fields, published);
  if (failures.length > 0) throw definitionProblem('field_type_changed', failures);
  await queries.insertVersion(tx, id, draft_version + 1, text, now);
  return draft_version + 1;
}

const STATE_CHANGES = {
  publish: { type: 'form.published', state: 'published' },
  close: { type: 'form.closed', state: 'closed' },
  reopen: { type: 'form.reopened', state: 'published' },
} as const;

/**
 * Publishes the draft, also of a closed form, or closes or opens a form that was published.
 * @throws Problem form_not_found, precondition_failed, form_state_conflict for a form that was never published
 */
export function changeState(
  { database, clock }: DatabaseDeps,
  change: FormChange,
  name: keyof typeof STATE_CHANGES,
): Promise<FormWithDraft> {
  const { type, state } = STATE_CHANGES[name];
  return database.transaction(async (tx) => {
    const form = await lockExpected(tx, change);
    const definition = await readDraft(tx, form);
    const version = name === 'publish' ? form.draft_version : form.published_version;
    if (version === null) throw new Problem('form_state_conflict');
    if (form.state === state && form.published_version === version) return { form, definition };
    const now = clock();
    await queries.markPublished(tx, form.id, version, now);
    const changed = { ...form, state, published_version: version };
    return { form: await store(tx, changed, { type, version, now }), definition };
  });
}

/** Writes a form with its next revision, and records the event. */
async function store(
  tx: Tx,
  changed: queries.FormRow,
  { type, version, now }: { readonly type: EventType; readonly version: number; readonly now: number },
): Promise<queries.FormRow> {
  const form = { ...changed, updated_at: now, revision: changed.revision + 1 };
  await queries.updateForm(tx, form);
  await recordEvent(tx, { type, subject: `form:${form.id}`, details: { version }, now });
  return form;
}

/**
 * Makes a form absent. Its submissions are deleted in the background; the housekeeping deletes what an interruption
 * leaves.
 * @throws Problem form_not_found, precondition_failed
 */
export async function deleteForm({ database, clock }: DatabaseDeps, change: FormChange): Promise<void> {
  await database.transaction(async (tx) => {
    const { id } = await lockExpected(tx, change);
    await queries.markDeleted(tx, id);
    await recordEvent(tx, { type: 'form.deleted', subject: `form:${id}`, now: clock() });
  });
  deleteInBatches(database, (tx, limit) => deleteNextRows(tx, 0, limit)).catch(() => {});
}

/** Deletes rows of deleted forms, at most `limit`; returns `limit` if there may be more. */
export async function deleteNextRows(tx: Tx, _now: number, limit: number): Promise<number> {
  const form = await queries.lockDeletedForm(tx);
  if (form === undefined) return 0;
  if ((await deleteSubmissions(tx, form.id, Number.MAX_SAFE_INTEGER, limit)) < limit)
    await queries.deleteFormRow(tx, form.id);
  return limit;
}
