/**
 * Validates request bodies with Ajv against the schemas that OpenAPI shows, and turns its errors into the public
 * messages. Nothing is coerced; members that the schema does not name are not passed on.
 *
 * Our own keywords: `x-trim` (surrounding white space is removed first), `x-filled` (may be absent, but not blank),
 * `x-ignored` (not validated and not passed on), `x-maxBytes` (of the NFC form in UTF-8).
 */
import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { isEmailAddress } from '../../lib/email-address.ts';
import type { TSchema } from '../../lib/schema.ts';
import { codePointLength } from '../../lib/text.ts';
import { Problem, type ProblemDetail } from '../../problems.ts';

interface MemberSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly 'x-trim'?: boolean;
  readonly 'x-filled'?: boolean;
  readonly 'x-ignored'?: boolean;
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, MemberSchema>>;
  readonly required?: readonly string[];
}

/** Messages by member, in the order of the schema. */
export type MemberErrors = Readonly<Record<string, readonly string[]>>;

interface Members {
  readonly values: Record<string, unknown>;
  /** Blank members that may be absent but not blank. */
  readonly missing: string[];
}

/** Returns the members that the schema names, trimmed where it says so. */
export type Validate = (body: unknown) => Record<string, unknown>;

/**
 * Creates the validator of an object schema, compiled when it is first used. It throws Problem invalid_payload for
 * what is not an object, and validation_failed with the messages of all failing rules.
 */
export function createValidator(schema: TSchema): Validate {
  const object = schema as unknown as ObjectSchema;
  let compiled: ValidateFunction | undefined;
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new Problem('invalid_payload');
    compiled ??= ajv().compile(schema);
    const { values, missing } = readMembers(object, body as Record<string, unknown>);
    compiled(values);
    const messages = messagesByMember(object, { values, missing }, compiled.errors ?? []);
    if (Object.keys(messages).length > 0) throw validationFailed(messages);
    return values;
  };
}

/**
 * Blank members (null, white space) count as absent: they are left out, or null where the schema allows null.
 */
function readMembers(
  { properties, required = [] }: ObjectSchema,
  body: Readonly<Record<string, unknown>>,
): Members {
  const values: Record<string, unknown> = {};
  const missing: string[] = [];
  for (const [name, member] of Object.entries(properties)) {
    const given = Object.hasOwn(body, name) ? body[name] : undefined;
    if (given === undefined || member['x-ignored']) continue;
    const isFilled = member['x-filled'] === true;
    if (isBlank(given) || ((isFilled || required.includes(name)) && isEmptyCollection(given))) {
      if (isFilled) missing.push(name);
      else if (member.type?.includes('null')) values[name] = null;
    } else {
      values[name] = member['x-trim'] && typeof given === 'string' ? given.trim() : given;
    }
  }
  return { values, missing };
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

function isEmptyCollection(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

let shared: Ajv | undefined;

/** Loaded with the first request that has a body to validate, because it takes a tenth of the start. */
function ajv(): Ajv {
  if (shared !== undefined) return shared;
  const { Ajv } = createRequire(import.meta.url)('ajv') as typeof import('ajv');
  shared = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true, ownProperties: true });
  shared.addFormat('email', isEmailAddress);
  shared.addFormat('password', true);
  shared.addKeyword({ keyword: 'x-maxBytes', type: 'string', validate: isWithinBytes });
  for (const keyword of ['x-trim', 'x-filled', 'x-ignored']) shared.addKeyword(keyword);
  return shared;
}

function isWithinBytes(maxBytes: number, text: string): boolean {
  return Buffer.byteLength(text.normalize('NFC'), 'utf8') <= maxBytes;
}

function messagesByMember(
  { properties }: ObjectSchema,
  { values, missing }: Members,
  errors: readonly ErrorObject[],
): MemberErrors {
  const byMember = Map.groupBy(errors, memberOf);
  const messages: Record<string, string[]> = {};
  for (const [name, member] of Object.entries(properties)) {
    if (member['x-ignored']) continue;
    const own = byMember.get(name) ?? [];
    if (missing.includes(name) || own.some(({ keyword }) => keyword === 'required')) {
      messages[name] = [`The ${name} field is required.`];
    } else {
      const texts = memberMessages(own, Object.hasOwn(values, name) ? values[name] : undefined);
      if (texts.length > 0) messages[name] = texts.map((text) => text(name));
    }
  }
  return messages;
}

function memberOf({ keyword, instancePath, params }: ErrorObject): string {
  return keyword === 'required' ? String(params.missingProperty) : instancePath.slice(1);
}

type Message = (name: string) => string;

const field =
  (text: string): Message =>
  (name) =>
    `The ${name} field ${text}`;

const INVALID_FORMAT = field('format is invalid.');
const NOT_AN_INTEGER = field('must be an integer.');

/** The messages of one member, in the order of the rules. */
function memberMessages(errors: readonly ErrorObject[], value: unknown): Message[] {
  if (errors.some(({ keyword }) => keyword === 'enum')) return [(name) => `The selected ${name} is invalid.`];
  const messages = MESSAGE_ORDER.flatMap((keyword) =>
    errors.filter((error) => error.keyword === keyword),
  ).flatMap((error) => MESSAGES[error.keyword]!(error));
  const unrepresentable = unrepresentableMessage(value);
  if (unrepresentable === undefined || messages.includes(unrepresentable)) return messages;
  return [unrepresentable, ...messages];
}

/** Rules that JSON Schema cannot express: text is well-formed UTF-16, and integers are exact. */
function unrepresentableMessage(value: unknown): Message | undefined {
  if (typeof value === 'string' && !value.isWellFormed()) return INVALID_FORMAT;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? NOT_AN_INTEGER : undefined;
}

const MESSAGE_ORDER = ['type', 'pattern', 'format', 'maxLength', 'minLength', 'x-maxBytes'];

/** The public messages of each keyword. */
const MESSAGES: Readonly<Record<string, (error: ErrorObject) => Message[]>> = {
  type: ({ data, parentSchema }) => wrongType(data, parentSchema as MemberSchema),
  pattern: () => [INVALID_FORMAT],
  format: () => [field('must be a valid email address.')],
  maxLength: ({ params }) => [field(`must not be greater than ${params.limit} characters.`)],
  minLength: ({ params }) => [field(`must be at least ${params.limit} characters.`)],
  'x-maxBytes': ({ schema }) => [field(`must not be greater than ${schema} bytes.`)],
};

/** Ajv applies the rules of strings to strings only; clients were promised every failing rule. */
function wrongType(value: unknown, { type, format, maxLength, minLength }: MemberSchema): Message[] {
  if (type === 'integer') return [NOT_AN_INTEGER];
  const errors = ['must be a string.'];
  if (format === 'email') errors.push('must be a valid email address.');
  if (size(value) > (maxLength ?? Infinity)) errors.push(`must not be greater than ${maxLength} characters.`);
  if (size(value) < (minLength ?? 0)) errors.push(`must be at least ${minLength} characters.`);
  return errors.map(field);
}

/** The elements of a collection, the digits of a number. */
function size(value: unknown): number {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length;
  return typeof value === 'boolean' ? Number(value) : codePointLength(String(value));
}

/** Returns the problem with the messages by member; its text is the first one and the number of the others. */
export function validationFailed(errors: MemberErrors): Problem {
  return new Problem('validation_failed', { text: summary(errors), errors, details: details(errors) });
}

function summary(errors: MemberErrors): string {
  const messages = Object.values(errors).flat();
  const more = messages.length - 1;
  return more === 0 ? messages[0]! : `${messages[0]} (and ${more} more ${more === 1 ? 'error' : 'errors'})`;
}

/** Returns the messages with their JSON pointers (RFC 9457 section 3). */
export function details(errors: MemberErrors): ProblemDetail[] {
  return Object.entries(errors).flatMap(([name, messages]) =>
    messages.map((detail) => ({ pointer: `#/${name}`, detail })),
  );
}
