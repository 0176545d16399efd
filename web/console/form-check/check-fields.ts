/** Sends definitions of fields to the service, and keeps its findings with the fields that were sent. */
import type { ApiError, PointedError } from '../../common/api.ts';
import { toApiError } from '../../common/use-load.ts';
import { request } from '../session.ts';
import type { Definition } from './fields.tsx';

export const PATH = '/api/v1/form-fields/validate';

export interface Field {
  /** Stays the same when other fields are added or removed. */
  readonly key: number;
  readonly definition: Definition;
}

export interface FieldError {
  /** Key of the field; null for an error of the whole list. */
  readonly key: number | null;
  /** The member (`/label`), or empty for the whole field. */
  readonly member: string;
  readonly detail: string;
}

export type CheckOutcome =
  | { readonly kind: 'unchecked' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'valid'; readonly sent: readonly Field[] }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'failed'; readonly error: ApiError };

/** Never rejects. */
export async function checkFields(sent: readonly Field[], signal: AbortSignal): Promise<CheckOutcome> {
  try {
    const headers = { Accept: 'application/problem+json' };
    await request(PATH, { method: 'POST', body: toBody(sent), headers, signal });
    return { kind: 'valid', sent };
  } catch (failure) {
    if (signal.aborted) return { kind: 'unchecked' };
    const error = toApiError(failure);
    if (error.pointedErrors.length === 0) return { kind: 'failed', error };
    return { kind: 'invalid', errors: error.pointedErrors.map((each) => fieldError(each, sent)) };
  }
}

/** The positions in the pointers are those of the fields that were sent: fields may have been removed since. */
function fieldError({ pointer, detail }: PointedError, sent: readonly Field[]): FieldError {
  const [, index, member = ''] = /^#\/fields\/(\d+)(.*)$/.exec(pointer) ?? [];
  return { key: sent[Number(index)]?.key ?? null, member, detail };
}

export function toBody(fields: readonly Field[]) {
  return { fields: fields.map(({ definition }) => definition) };
}

/** Returns the errors of the fields that are still there, and of the whole list. */
export function presentErrors(outcome: CheckOutcome, fields: readonly Field[]): readonly FieldError[] {
  if (outcome.kind !== 'invalid') return [];
  return outcome.errors.filter(({ key }) => key === null || fields.some((field) => field.key === key));
}
