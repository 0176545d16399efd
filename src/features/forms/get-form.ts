/** Finds a stored form. */
import type { Reader } from '../../database/database.ts';
import { parseFormId, requireForm } from './form-rules.ts';
import { type FormRow, findForm } from './queries.ts';

/** @throws Problem form_not_found */
export async function getForm(reader: Reader, id: string): Promise<FormRow> {
  return requireForm(await findForm(reader, parseFormId(id)));
}
