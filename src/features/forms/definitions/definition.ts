/** Definitions of forms, of which each version has one that never changes, and how a stored form is found. */
import { cacheUntilCommit } from '../../../database/cache-until-commit.ts';
import type { Database, Reader } from '../../../database/database.ts';
import { isId } from '../../../lib/secrets/ids.ts';
import { Problem } from '../../../problems/problem.ts';
import { type FormRow, findForm, findWithDefinition, type VersionRow } from '../queries.ts';

export const MAX_TEXT_LENGTH = 10_000;

export type FieldType = 'text' | 'number' | 'email' | 'date' | 'checkbox';

export interface Field {
  /** The identifier. Any name, `__proto__` included: not to be used as a member of ordinary objects. */
  readonly label: string;
  readonly type: FieldType;
  readonly is_required: boolean;
  /** The label for people; without it, `label`. */
  readonly title?: string;
  readonly help?: string;
  /** Values of texts: the answer is one of them. */
  readonly options?: readonly string[];
  /** The answer is a list of distinct options. */
  readonly multiple?: true;
  /** Whether texts may have line breaks. */
  readonly multiline?: true;
  readonly max_length?: number;
  /** Bounds of numbers, and of dates as `YYYY-MM-DD`. */
  readonly min?: number | string;
  readonly max?: number | string;
}

export interface Definition {
  readonly title: string;
  readonly description: string | null;
  readonly fields: readonly Field[];
}

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

export interface PublishedFormDeps {
  /** @throws Problem form_not_found, also for a draft */
  readonly getPublishedForm: (id: string) => Promise<PublishedForm>;
}

/** A definition may take a megabyte. */
const MAX_KEPT = 20;

export function createGetPublishedForm(database: Database): PublishedFormDeps['getPublishedForm'] {
  const find = cacheUntilCommit(
    database,
    async (id): Promise<PublishedForm> => {
      const found = await findWithDefinition(database, id);
      if (found === undefined || found.definition === null) throw new Problem('form_not_found');
      const { definition, ...row } = found;
      return { row, version: row.published_version!, definition: parseDefinition({ definition }) };
    },
    MAX_KEPT,
  );
  return async (id) => (await find(parseFormId(id)))!;
}
