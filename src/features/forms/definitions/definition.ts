/** Definitions of forms. Each version of a form has one, which never changes. */

export const MAX_FIELDS = 200;
export const MAX_OPTIONS = 200;
export const MAX_TITLE_LENGTH = 200;
export const MAX_HELP_LENGTH = 1_000;
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
  /** Of texts: the answer is one of them. */
  readonly options?: readonly string[];
  /** The answer is a list of distinct options. */
  readonly multiple?: true;
  /** Of texts: line breaks are allowed. */
  readonly multiline?: true;
  readonly max_length?: number;
  /** Of numbers, and of dates as `YYYY-MM-DD`. */
  readonly min?: number | string;
  readonly max?: number | string;
}

export interface Definition {
  readonly title: string;
  readonly description: string | null;
  readonly fields: readonly Field[];
}

/** Members of a field in the order in which they are stored. */
export const FIELD_MEMBERS = [
  'label',
  'type',
  'is_required',
  'title',
  'help',
  'options',
  'multiple',
  'multiline',
  'max_length',
  'min',
  'max',
] as const satisfies readonly (keyof Field)[];

/** Returns a checked field as it is stored: absent, null and false are the same for optional members. */
export function normalizeField(field: Readonly<Record<string, unknown>>): Field {
  const isStored = (name: string) =>
    name === 'is_required' || (field[name] !== undefined && field[name] !== null && field[name] !== false);
  return Object.fromEntries(
    FIELD_MEMBERS.filter(isStored).map((name) => [name, field[name]]),
  ) as unknown as Field;
}
