/** Rules of the fields of stored forms: those of the stateless check, and those of the optional members. */
import { countCodePoints, isStorable } from '../../../lib/text/text.ts';
import type { ProblemDetail } from '../../../problems/problem.ts';
import { isDate } from '../answers/dates.ts';
import { checkFormFields } from '../rules.ts';
import {
  FIELD_MEMBERS,
  type Field,
  MAX_FIELDS,
  MAX_HELP_LENGTH,
  MAX_OPTIONS,
  MAX_TEXT_LENGTH,
  MAX_TITLE_LENGTH,
} from './definition.ts';

type Members = Readonly<Record<string, unknown>>;

/** A rule of an optional member: the types of fields that may have it, and what is wrong with its value. */
interface MemberRule {
  readonly types?: readonly unknown[];
  readonly check: (value: unknown, field: Members) => string | null;
}

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && isStorable(value) && /\S/.test(value) && countCodePoints(value) <= max;

const checkText = (name: string, max: number) => (value: unknown) =>
  isText(value, max) ? null : `${name} must be a text of 1 to ${max} characters`;

const checkFlag = (name: string) => (value: unknown) =>
  typeof value === 'boolean' ? null : `${name} must be true or false`;

const BOUNDED = ['number', 'date'];

const RULES: Readonly<Record<string, MemberRule>> = {
  title: { check: checkText('Title', MAX_TITLE_LENGTH) },
  help: { check: checkText('Help', MAX_HELP_LENGTH) },
  options: { types: ['text'], check: checkOptions },
  multiple: {
    types: ['text'],
    check: (value, { options }) =>
      value === true && options == null ? 'Multiple needs options' : checkFlag('Multiple')(value),
  },
  multiline: { types: ['text'], check: withoutOptions('Multiline', checkFlag('Multiline')) },
  max_length: { types: ['text'], check: withoutOptions('Maximum length', checkMaxLength) },
  min: { types: BOUNDED, check: (value, { type }) => checkBound('Min', value, type) },
  max: {
    types: BOUNDED,
    check: (value, { type, min }) => {
      const failure = checkBound('Max', value, type);
      if (failure !== null || min == null || checkBound('Min', min, type) !== null) return failure;
      return (min as number) > (value as number) ? 'Max must not be less than min' : null;
    },
  },
};

/** Returns all failures of the member `fields` of a stored form, field by field. */
export function checkFields(fields: unknown): ProblemDetail[] {
  const specified = checkFormFields(fields);
  if (!Array.isArray(fields) || fields.length === 0) return specified;
  if (fields.length > MAX_FIELDS)
    return [{ pointer: '#/fields', detail: `A form has at most ${MAX_FIELDS} fields` }];
  const byField = Map.groupBy(specified, ({ pointer }) => pointer.split('/')[2]);
  return fields.flatMap((field, index) => [
    ...(byField.get(String(index)) ?? []),
    ...checkMembers(field, `#/fields/${index}`),
  ]);
}

function checkMembers(field: unknown, pointer: string): ProblemDetail[] {
  if (typeof field !== 'object' || field === null || Array.isArray(field)) return [];
  const members = field as Members;
  return Object.keys(members).flatMap((name) => {
    const detail = checkMember(name, members);
    const token = name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
    return detail === null ? [] : [{ pointer: `${pointer}/${encodeURIComponent(token)}`, detail }];
  });
}

function checkMember(name: string, field: Members): string | null {
  const value = field[name];
  if (!FIELD_MEMBERS.some((known) => known === name)) return 'A field has no such member';
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  if (rule === undefined || value === null) return null;
  const { types, check } = rule;
  if (types !== undefined && !types.includes(field.type))
    return `Only fields of the type ${types.join(' or ')} can have ${name}`;
  return check(value, field);
}

function checkOptions(value: unknown): string | null {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_OPTIONS;
  const isOption = (option: unknown) => isText(option, MAX_TITLE_LENGTH) && !/[\r\n]/.test(option);
  return isList && value.every(isOption) && new Set(value).size === value.length
    ? null
    : `Options must be 1 to ${MAX_OPTIONS} distinct texts of 1 to ${MAX_TITLE_LENGTH} characters without line breaks`;
}

function withoutOptions(name: string, check: (value: unknown) => string | null): MemberRule['check'] {
  return (value, { options }) =>
    options == null || value === false ? check(value) : `${name} cannot be combined with options`;
}

function checkMaxLength(value: unknown): string | null {
  const isLength = Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_TEXT_LENGTH;
  return isLength ? null : `Maximum length must be an integer from 1 to ${MAX_TEXT_LENGTH}`;
}

function checkBound(name: string, value: unknown, type: unknown): string | null {
  if (type === 'number') return Number.isFinite(value) ? null : `${name} must be a number`;
  return typeof value === 'string' && isDate(value) ? null : `${name} must be a date such as 2026-01-31`;
}

/** Returns a failure for each label that an earlier field has, in any case of its letters. */
export function findRepeatedLabels(fields: readonly Field[]): ProblemDetail[] {
  const seen = new Set<string>();
  return fields.flatMap(({ label }, index) => {
    const key = label.toLowerCase();
    if (seen.has(key)) return [{ pointer: `#/fields/${index}/label`, detail: 'Label is already in use' }];
    seen.add(key);
    return [];
  });
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
      : [{ pointer: `#/fields/${index}/type`, detail: `Type must stay ${types.get(label)}` }],
  );
}
