/**
 * Validates request bodies with Ajv against the schemas that OpenAPI shows, and turns its errors into the public
 * messages. Nothing is coerced; members that the schema does not name are not passed on.
 *
 * Keywords of this service: `x-trim` (surrounding white space is removed first), `x-filled` (may be absent, but not
 * null or blank), `x-notBlank` (may be absent or null, but not blank text), `x-ignored` (not validated and not passed
 * on), `x-maxBytes` (of the NFC form in UTF-8), `x-locale` (a language tag in canonical form), `x-timeZone`, `x-visible` (no control and
 * format characters), `x-oneOf` (shown as `oneOf`, validated by the use case).
 */
import { createRequire } from 'node:module';
import type { Ajv, SchemaObject, ValidateFunction } from 'ajv';
import { Problem } from '../../problems/problem.ts';
import { validationFailed } from '../../problems/validation-failed.ts';
import { isLocale, isTimeZone } from '../text/locale.ts';
import { isEmailAddress, normalizeNfc } from '../text/normalize.ts';
import { parseDate, parseTimestamp } from '../time.ts';
import type { JsonSchema } from './json-schema.ts';
import {
  groupMessagesByMember,
  hasExactValues,
  listUnknown,
  type MemberSchema,
  type Members,
  type ObjectSchema,
} from './validation-messages.ts';

const require = createRequire(import.meta.url);

let ajv: Ajv | undefined;

/** Returns the instance that compiles all schemas: created for the first one, because a start needs none. */
export function getAjv(): Ajv {
  ajv ??= createAjv();
  return ajv;
}

/** Returns the members that the schema names, trimmed where it says so. */
export type Validate = (body: unknown) => Record<string, unknown>;

/**
 * Creates the validator of an object schema, compiled when it is first used. It throws Problem validation_failed with
 * the messages of all failing rules, and invalid_payload for what is not an object, or fails by a rule of the whole body
 * only. With `additionalProperties: false`, members that the schema does not name are failures, too.
 */
export function createValidator(schema: JsonSchema): Validate {
  const object = schema as unknown as ObjectSchema;
  const members = Object.entries(object.properties);
  let compiled: ValidateFunction | undefined;
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new Problem('invalid_payload');
    compiled ??= getAjv().compile(schema as SchemaObject);
    const { values, missing } = readMembers(object, members, body as Record<string, unknown>);
    const isValid = compiled(values);
    const unknown = listUnknown(object, body);
    // Most bodies are valid and need no messages.
    if (isValid && missing.length + unknown.length === 0 && hasExactValues(values)) return values;
    const messages = {
      ...groupMessagesByMember(object, { values, missing }, compiled.errors ?? []),
      ...Object.fromEntries(unknown.map((name) => [name, [`The ${name} field is not allowed here.`]])),
    };
    if (Object.keys(messages).length > 0) throw validationFailed(messages);
    if (!isValid) throw new Problem('invalid_payload');
    return values;
  };
}

/** Blank members are left out, or null where the schema allows it, unless it excludes them. */
function readMembers(
  { required = [] }: ObjectSchema,
  members: readonly (readonly [name: string, member: MemberSchema])[],
  body: Readonly<Record<string, unknown>>,
): Members {
  const values: Record<string, unknown> = {};
  const missing: string[] = [];
  for (const [name, member] of members) {
    const given = Object.hasOwn(body, name) ? body[name] : undefined;
    if (given === undefined || member['x-ignored']) continue;
    const isFilled = member['x-filled'] === true;
    if (isBlank(given) || ((isFilled || required.includes(name)) && isEmptyCollection(given))) {
      if (isFilled || (member['x-notBlank'] && given !== null)) missing.push(name);
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

function createAjv(): Ajv {
  const { Ajv } = require('ajv') as typeof import('ajv');
  const ajv = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true, ownProperties: true });
  ajv.addFormat('email', isEmailAddress);
  ajv.addFormat('password', true);
  ajv.addFormat('date', (text) => parseDate(text) !== null);
  ajv.addFormat('date-time', (text) => parseTimestamp(text) !== null);
  const rules: Readonly<Record<string, (value: unknown, text: string) => boolean>> = {
    'x-locale': (_, text) => isLocale(text),
    'x-timeZone': (_, text) => isTimeZone(text),
    'x-visible': (_, text) => !INVISIBLE.test(text),
    'x-maxBytes': (maxBytes, text) => Buffer.byteLength(normalizeNfc(text), 'utf8') <= Number(maxBytes),
  };
  for (const [keyword, validate] of Object.entries(rules))
    ajv.addKeyword({ keyword, type: 'string', validate });
  for (const keyword of ['x-trim', 'x-filled', 'x-notBlank', 'x-ignored', 'x-oneOf', 'x-message'])
    ajv.addKeyword(keyword);
  return ajv;
}

const INVISIBLE = /[\p{Cc}\p{Cf}]/u;
