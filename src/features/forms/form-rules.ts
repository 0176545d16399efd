/** Access to stored forms. */
import type { Reader } from '../../database/database.ts';
import { isId } from '../../lib/secrets/ids.ts';
import { Problem } from '../../problems/problem.ts';
import type { Definition } from './definitions/definition.ts';
import { type FormRow, findForm, findWithDefinition, type VersionRow } from './queries.ts';

/** @throws Problem form_not_found for a text that cannot be an id */
export function parseFormId(id: string): string {
  if (!isId(id)) throw new Problem('form_not_found');
  return id;
}

/** @throws Problem form_not_found */
export async function getForm(reader: Reader, id: string): Promise<FormRow> {
  const form = await findForm(reader, parseFormId(id));
  if (form === undefined) throw new Problem('form_not_found');
  return form;
}

export function parseDefinition({ definition }: Pick<VersionRow, 'definition'>): Definition {
  return JSON.parse(definition);
}

/** A form as those see it who fill it in. */
export interface PublishedForm {
  readonly row: FormRow;
  readonly version: number;
  readonly definition: Definition;
}

/** @throws Problem form_not_found, also for a draft */
export async function getPublishedForm(reader: Reader, id: string): Promise<PublishedForm> {
  const found = await findWithDefinition(reader, parseFormId(id));
  if (found === undefined || found.definition === null) throw new Problem('form_not_found');
  const { definition, ...row } = found;
  return { row, version: row.published_version!, definition: parseDefinition({ definition }) };
}
