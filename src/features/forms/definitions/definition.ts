/** Definitions of forms. Each version of a form has one, which never changes. */

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
