/** The public messages of failing rules. */
import type { ErrorObject } from 'ajv';
import type { MemberErrors } from '../../problems/validation-failed.ts';
import { countCodePoints, isStorable } from '../text/text.ts';

export interface MemberSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly 'x-trim'?: boolean;
  readonly 'x-filled'?: boolean;
  readonly 'x-notBlank'?: boolean;
  readonly 'x-ignored'?: boolean;
}

export interface ObjectSchema {
  readonly properties: Readonly<Record<string, MemberSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

export interface Members {
  readonly values: Record<string, unknown>;
  /** Members that may be absent and are blank, which their schema excludes. */
  readonly missing: string[];
}

/** Returns the messages of all failing rules: at least one for each member that Ajv rejects. */
export function groupMessagesByMember(
  { properties }: ObjectSchema,
  { values, missing }: Members,
  errors: readonly ErrorObject[],
): MemberErrors {
  const byMember = Map.groupBy(errors, getMember);
  const messages: Record<string, string[]> = {};
  for (const [name, member] of Object.entries(properties)) {
    if (member['x-ignored']) continue;
    const own = byMember.get(name) ?? [];
    if (missing.includes(name) || own.some(isOfMissingMember)) {
      messages[name] = [`The ${name} field is required.`];
    } else {
      const texts = memberMessages(own, Object.hasOwn(values, name) ? values[name] : undefined);
      if (texts.length > 0) messages[name] = texts.map((text) => text(name));
    }
  }
  return messages;
}

/** Whether no value has a message by a rule that JSON Schema cannot express. */
export function hasExactValues(values: Readonly<Record<string, unknown>>): boolean {
  for (const name in values) if (unrepresentableMessage(values[name]) !== undefined) return false;
  return true;
}

/** Returns the members that a closed schema does not name, by the names of the client. */
export function listUnknown({ properties, additionalProperties }: ObjectSchema, body: object): string[] {
  if (additionalProperties !== false) return [];
  return Object.keys(body).filter((name) => !Object.hasOwn(properties, name));
}

/** Returns the member that an error is about, or undefined for rules of the whole body. */
function getMember(error: ErrorObject): string | undefined {
  if (isOfMissingMember(error)) return String(error.params.missingProperty);
  // The first segment: failures of the elements of a list are those of the member.
  return error.instancePath.split('/')[1]?.replaceAll('~1', '/').replaceAll('~0', '~');
}

function isOfMissingMember({ instancePath, params }: ErrorObject): boolean {
  return instancePath === '' && params.missingProperty !== undefined;
}

type Message = (name: string) => string;

const field =
  (text: string): Message =>
  (name) =>
    `The ${name} field ${text}`;

const INVALID = field('is invalid.');
const INVALID_FORMAT = field('format is invalid.');
const INVALID_EMAIL = field('must be a valid email address.');
const INVALID_TIME = field('must be a time such as 2026-01-31T09:00:00Z.');
const NOT_AN_INTEGER = field('must be an integer.');
/** By type; for all others, the value must be a string. */
const WRONG_TYPES: Readonly<Record<string, Message>> = {
  integer: NOT_AN_INTEGER,
  number: field('must be a number.'),
  boolean: field('must be true or false.'),
  array: field('must be a list.'),
  object: field('must be an object.'),
};

function memberMessages(errors: readonly ErrorObject[], value: unknown): Message[] {
  if (errors.some(({ keyword }) => keyword === 'enum')) return [(name) => `The selected ${name} is invalid.`];
  const messages = MESSAGE_ORDER.flatMap((keyword) =>
    errors.filter((error) => error.keyword === keyword),
  ).flatMap((error) => MESSAGES[error.keyword]!(error));
  const unrepresentable = unrepresentableMessage(value);
  if (unrepresentable !== undefined && !messages.includes(unrepresentable)) messages.unshift(unrepresentable);
  // Whatever Ajv rejects is rejected, also by a keyword that has no message of its own.
  return messages.length === 0 && errors.length > 0 ? [INVALID] : messages;
}

/** Rules that JSON Schema cannot express: text is well-formed UTF-16, and integers are exact. */
function unrepresentableMessage(value: unknown): Message | undefined {
  if (typeof value === 'string' && !value.isWellFormed()) return INVALID_FORMAT;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? NOT_AN_INTEGER : undefined;
}

const MESSAGE_ORDER = [
  ...[
    'type',
    'pattern',
    'x-visible',
    'format',
    'maxLength',
    'minLength',
    'x-maxBytes',
    'x-locale',
    'x-timeZone',
  ],
  ...['maxItems', 'minItems', 'maximum', 'minimum'],
];

/** The public messages of each keyword; those of others have a general one. */
const MESSAGES: Readonly<Record<string, (error: ErrorObject) => Message[]>> = {
  type: ({ data, parentSchema }) => wrongType(data, parentSchema as MemberSchema),
  pattern: () => [INVALID_FORMAT],
  'x-visible': () => [INVALID_FORMAT],
  // The released schema of emails has no pattern against U+0000; its message is promised all the same.
  format: ({ data, params }) => [
    ...(isStorable(data as string) ? [] : [INVALID_FORMAT]),
    params.format === 'email' ? INVALID_EMAIL : INVALID_TIME,
  ],
  maxLength: ({ params }) => [field(`must not be greater than ${params.limit} characters.`)],
  minLength: ({ params }) => [field(`must be at least ${params.limit} characters.`)],
  maxItems: ({ params }) => [field(`must not have more than ${params.limit} items.`)],
  minItems: ({ params }) => [field(`must have at least ${params.limit} items.`)],
  maximum: (error) => bound(error, `must not be greater than ${error.params.limit}.`),
  minimum: (error) => bound(error, `must be at least ${error.params.limit}.`),
  'x-locale': () => [field('must be a language tag in canonical form, such as de or pt-BR.')],
  'x-timeZone': () => [field('must be a time zone such as Europe/Berlin.')],
  'x-maxBytes': ({ schema }) => [field(`must not be greater than ${schema} bytes.`)],
};

/** If an integer is required, a number that is not an exact integer has that message only. */
function bound({ data, parentSchema }: ErrorObject, text: string): Message[] {
  return Number.isSafeInteger(data) || parentSchema?.type === 'number' ? [field(text)] : [];
}

/** Ajv applies the rules of strings to strings only; the API documents a message for every failing rule. */
function wrongType(value: unknown, { type, format, maxLength, minLength }: MemberSchema): Message[] {
  const required = [type].flat().find((each) => each !== 'null');
  const wrong = required === undefined ? undefined : WRONG_TYPES[required];
  if (wrong !== undefined) return [wrong];
  const errors = ['must be a string.'];
  if (format === 'email') errors.push('must be a valid email address.');
  if (size(value) > (maxLength ?? Infinity)) errors.push(`must not be greater than ${maxLength} characters.`);
  if (size(value) < (minLength ?? 0)) errors.push(`must be at least ${minLength} characters.`);
  return errors.map(field);
}

/** Returns the number of elements of a collection, or of characters of anything else. */
function size(value: unknown): number {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length;
  return typeof value === 'boolean' ? Number(value) : countCodePoints(String(value));
}
