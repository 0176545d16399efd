/** Creates a form with its first version, a draft. */
import type { Tx } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { recordEvent } from '../events/record-event.ts';
import type { GivenForm } from './definitions/read-form.ts';
import { formSubject, parseDefinition, toColumns } from './form-rules.ts';
import { getForm } from './get-form.ts';
import { type FormRow, findVersion, insertForm, insertVersion } from './queries.ts';

export async function createForm(tx: Tx, { definition, settings }: GivenForm, now: number): Promise<FormRow> {
  return insert(tx, { columns: toColumns(settings), definition: JSON.stringify(definition), now });
}

/** Creates a form with the draft and the settings of another one. @throws Problem form_not_found */
export async function duplicateForm(tx: Tx, id: string, now: number): Promise<FormRow> {
  const form = await getForm(tx, id);
  const { definition } = (await findVersion(tx, id, form.draft_version))!;
  return insert(tx, { columns: form, definition, now });
}

async function insert(
  tx: Tx,
  given: {
    readonly columns: ReturnType<typeof toColumns>;
    readonly definition: string;
    readonly now: number;
  },
): Promise<FormRow> {
  const { columns, definition, now } = given;
  const form: FormRow = {
    ...columns,
    id: newId(),
    title: parseDefinition({ definition }).title,
    ...{ state: 'draft', draft_version: 1, published_version: null, revision: 1 },
    created_at: now,
    updated_at: now,
  };
  await insertForm(tx, form);
  await insertVersion(tx, form.id, { number: 1, definition, created_at: now });
  await recordEvent(tx, { type: 'form.created', subject: formSubject(form.id), now });
  return form;
}
