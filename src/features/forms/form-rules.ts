/** Rules of stored forms, and of the versions that their readers see. */
import { isId } from '../../lib/secrets/ids.ts';
import { Problem } from '../../problems/problem.ts';
import type { Definition } from './definitions/definition.ts';
import type { FormSettings } from './definitions/read-form.ts';
import type { FormRow, VersionRow } from './queries.ts';

/** Returns the subject of the events of a form. */
export function formSubject(id: string): string {
  return `form:${id}`;
}

/** @throws Problem form_not_found for a text that cannot be an id, which saves a query */
export function parseFormId(id: string): string {
  if (!isId(id)) throw new Problem('form_not_found');
  return id;
}

/** @throws Problem form_version_not_found */
export function parseVersionNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Problem('form_version_not_found');
  return Number(text);
}

/** @throws Problem form_not_found */
export function requireForm<Row>(form: Row | undefined): Row {
  if (form === undefined) throw new Problem('form_not_found');
  return form;
}

export function parseDefinition({ definition }: Pick<VersionRow, 'definition'>): Definition {
  return JSON.parse(definition);
}

/** Returns the columns of the settings. */
export function toColumns({ once, allowed_origins, thanks, ...settings }: FormSettings) {
  return {
    ...settings,
    once: Number(once),
    allowed_origins: JSON.stringify(allowed_origins),
    thanks: thanks === null ? null : JSON.stringify(thanks),
  };
}

export type StoredSettings = ReturnType<typeof toColumns>;

/** Whether the form has the settings already. */
export function hasSettings(form: FormRow, settings: StoredSettings): boolean {
  return (Object.keys(settings) as (keyof StoredSettings)[]).every((name) => form[name] === settings[name]);
}
