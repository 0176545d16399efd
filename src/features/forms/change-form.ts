/** Changes a form: its draft and settings, and its state. Changes without effect keep the revision. */
import type { Database, Tx } from '../../database/database.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { Problem } from '../../problems/problem.ts';
import type { EventType } from '../events/event-types.ts';
import { recordEvent } from '../events/record-event.ts';
import { findChangedTypes } from './definitions/check-fields.ts';
import type { Definition } from './definitions/definition.ts';
import { definitionProblem, type GivenForm } from './definitions/read-form.ts';
import { formSubject, hasSettings, parseDefinition, requireForm, toColumns } from './form-rules.ts';
import {
  type FormRow,
  findVersion,
  insertVersion,
  listPublishedVersions,
  lockForm,
  markPublished,
  updateForm,
} from './queries.ts';

export interface ChangeFormDeps {
  readonly database: Database;
  readonly clock: Clock;
}

export interface FormChange {
  readonly id: string;
  /** The precondition of the request. */
  readonly isExpected: (revision: number) => boolean;
}

/** @throws Problem form_not_found, precondition_failed */
export async function lockExpected(tx: Tx, { id, isExpected }: FormChange): Promise<FormRow> {
  const form = requireForm(await lockForm(tx, id));
  if (!isExpected(form.revision)) throw new Problem('precondition_failed');
  return form;
}

/**
 * Replaces the settings, and the draft by a new version unless it is the same.
 * @throws Problem form_not_found, precondition_failed, field_type_changed
 */
export function replaceForm(
  { database, clock }: ChangeFormDeps,
  change: FormChange & { readonly given: GivenForm },
): Promise<FormRow> {
  const { settings, definition } = change.given;
  return database.transaction(async (tx) => {
    const form = await lockExpected(tx, change);
    const columns = toColumns(settings);
    const now = clock();
    const draftVersion = await storeDraft(tx, form, { definition, now });
    if (draftVersion === form.draft_version && hasSettings(form, columns)) return form;
    const changed = { ...form, ...columns, title: definition.title, draft_version: draftVersion };
    return store(tx, changed, { type: 'form.updated', version: draftVersion, now });
  });
}

/** Returns the number of the draft, which is a new version if the definition differs. */
async function storeDraft(
  tx: Tx,
  { id, draft_version }: FormRow,
  { definition, now }: { readonly definition: Definition; readonly now: number },
): Promise<number> {
  const text = JSON.stringify(definition);
  if ((await findVersion(tx, id, draft_version))!.definition === text) return draft_version;
  const published = (await listPublishedVersions(tx, id)).map((row) => parseDefinition(row).fields);
  const failures = findChangedTypes(definition.fields, published);
  if (failures.length > 0) throw definitionProblem('field_type_changed', failures);
  await insertVersion(tx, id, { number: draft_version + 1, definition: text, created_at: now });
  return draft_version + 1;
}

/** Publishes the draft, also of a closed form. @throws Problem form_not_found, precondition_failed */
export function publishForm(deps: ChangeFormDeps, change: FormChange): Promise<FormRow> {
  return deps.database.transaction(async (tx) => {
    const form = await lockExpected(tx, change);
    const { id, draft_version: version } = form;
    if (form.state === 'published' && form.published_version === version) return form;
    const now = deps.clock();
    await markPublished(tx, id, { number: version, now });
    const published = { ...form, state: 'published', published_version: version } as const;
    return store(tx, published, { type: 'form.published', version, now });
  });
}

/** @throws Problem form_not_found, precondition_failed, form_state_conflict for a form that was never published */
export function setFormState(
  deps: ChangeFormDeps,
  { state, ...change }: FormChange & { readonly state: 'published' | 'closed' },
): Promise<FormRow> {
  return deps.database.transaction(async (tx) => {
    const form = await lockExpected(tx, change);
    if (form.state === 'draft') throw new Problem('form_state_conflict');
    if (form.state === state) return form;
    const type = state === 'closed' ? 'form.closed' : 'form.reopened';
    return store(tx, { ...form, state }, { type, now: deps.clock() });
  });
}

/** Writes a form with its next revision, and records the event. */
async function store(
  tx: Tx,
  changed: FormRow,
  { type, version, now }: { readonly type: EventType; readonly version?: number; readonly now: number },
): Promise<FormRow> {
  const form = { ...changed, updated_at: now, revision: changed.revision + 1 };
  await updateForm(tx, form);
  const details = version === undefined ? {} : { details: { version } };
  await recordEvent(tx, { type, subject: formSubject(form.id), ...details, now });
  return form;
}
