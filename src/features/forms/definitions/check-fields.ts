/** Rules of the fields of stored forms: those of the stateless check, of the schema, and of several members. */
import { getAjv } from '../../../lib/schema/validator.ts';
import type { ProblemDetail } from '../../../problems/problem.ts';
import { toPointer } from '../../../problems/validation-failed.ts';
import { isDate } from '../answers/values.ts';
import { fields as schema } from '../form-schemas.ts';
import { checkFormFields } from '../rules.ts';
import type { Field } from './definition.ts';

type Members = Readonly<Record<string, unknown>>;

const { label: _, type: __, is_required: ___, ...OPTIONAL } = schema.items.properties;
const MESSAGES = new Map(Object.entries(OPTIONAL).map(([name, member]) => [name, member['x-message']]));
/** Types of fields that can have a member; absent for those that all can have. */
const TYPES = new Map<string, readonly unknown[]>([
  ...['options', 'multiple', 'multiline', 'max_length'].map((name) => [name, ['text']] as const),
  ...['min', 'max'].map((name) => [name, ['number', 'date']] as const),
]);

/** Returns all failures of the member `fields` of a stored form, field by field. */
export function checkFields(fields: unknown): ProblemDetail[] {
  const specified = checkFormFields(fields);
  if (!Array.isArray(fields) || fields.length === 0) return specified;
  if (fields.length > schema.maxItems)
    return [{ pointer: '#/fields', detail: `A form has at most ${schema.maxItems} fields` }];
  const byField = Map.groupBy(specified, ({ pointer }) => pointer.split('/')[2]);
  return fields.flatMap((field, index) => [
    ...(byField.get(String(index)) ?? []),
    ...(typeof field === 'object' && field !== null && !Array.isArray(field)
      ? checkMembers(field, index)
      : []),
  ]);
}

function checkMembers(field: Members, index: number): ProblemDetail[] {
  const { label: _, type: __, is_required: ___, ...members } = field;
  const invalid = new Set(findInvalid(members));
  return Object.entries(members).flatMap(([name, value]) => {
    const pointer = toPointer('fields', index, name);
    if (!MESSAGES.has(name)) return { pointer, detail: 'A field has no such member' };
    if (invalid.has(name)) return { pointer, detail: `${name} ${MESSAGES.get(name)}` };
    const detail = value === null ? null : checkMember(name, field);
    return detail === null ? [] : { pointer, detail };
  });
}

/** Returns the names of the members that do not match the schema, or have lone surrogates. */
function findInvalid(members: Members): string[] {
  const ajv = getAjv();
  const validate =
    ajv.getSchema('FormField') ?? ajv.compile({ ...schema.items, required: [], $id: 'FormField' });
  validate(members);
  const names = (validate.errors ?? []).map(({ instancePath }) => instancePath.split('/')[1] ?? '');
  return [...names, ...Object.keys(members).filter((name) => !isWellFormed(members[name]))];
}

/** Whether texts, and those of lists, have no lone surrogates, which no pattern of JSON Schema finds in every language. */
export function isWellFormed(value: unknown): boolean {
  return [value].flat().every((one) => typeof one !== 'string' || one.isWellFormed());
}

/** Returns why a member that matches the schema contradicts others. */
function checkMember(name: string, field: Members): string | null {
  const { type, options = null, min = null, [name]: value } = field;
  const types = TYPES.get(name) ?? [type];
  if (!types.includes(type)) return `Only fields of the type ${types.join(' or ')} can have ${name}`;
  if (name === 'multiple' && value && options === null) return 'multiple needs options';
  if ((name === 'max_length' || (name === 'multiline' && value)) && options !== null)
    return `${name} cannot be combined with options`;
  if (name !== 'min' && name !== 'max') return null;
  if (type === 'number' && typeof value !== 'number') return `${name} must be a number`;
  if (type === 'date' && !isDate(value)) return `${name} must be a date such as 2026-01-31`;
  return name === 'max' && typeof min === typeof value && (min as number) > (value as number)
    ? 'max must not be less than min'
    : null;
}

/** Returns a failure for each label that an earlier field has, in any case of its letters. Fields may be anything. */
export function findRepeatedLabels(fields: unknown): ProblemDetail[] {
  if (!Array.isArray(fields) || fields.length > schema.maxItems) return [];
  const labels = fields.map((field) => (typeof field?.label === 'string' ? field.label.toLowerCase() : null));
  return labels.flatMap((label, index) =>
    !label || labels.indexOf(label) === index
      ? []
      : [{ pointer: toPointer('fields', index, 'label'), detail: 'Label is already in use' }],
  );
}

/** Returns a failure for each field whose type differs from the one that a published version has. */
export function findChangedTypes(
  fields: readonly Field[],
  published: readonly (readonly Field[])[],
): ProblemDetail[] {
  const types = new Map(published.flat().map(({ label, type }) => [label, type]));
  return fields.flatMap(({ label, type }, index) =>
    (types.get(label) ?? type) === type
      ? []
      : [{ pointer: toPointer('fields', index, 'type'), detail: `Type must stay ${types.get(label)}` }],
  );
}
