/**
 * Checks a JSON object against its schema, member by member, with messages for people. The schema that
 * describes a body in OpenAPI is thus the one that refuses it. Understood: required, type, maxLength,
 * minLength (code points), format email and password, enum, integer, null, and our own `x-trim`, `x-maxBytes`,
 * `x-filled` (may be left out, but not be empty) and `x-ignored`.
 */

import { isEmailAddress } from '../../lib/email-address.ts';
import type { TSchema } from '../../lib/schema.ts';
import { codePointLength, isStorable } from '../../lib/text.ts';
import { Problem, type ProblemDetail } from '../../problems.ts';

interface MemberSchema {
  readonly type?: string | readonly string[];
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly 'x-trim'?: boolean;
  readonly 'x-maxBytes'?: number;
  readonly 'x-filled'?: boolean;
  readonly 'x-ignored'?: boolean;
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, MemberSchema>>;
  readonly required?: readonly string[];
}

/** Messages by member, in the order of the schema. */
export type MemberErrors = Readonly<Record<string, readonly string[]>>;

/**
 * Gives the known members, trimmed where the schema says so.
 * @throws Problem invalid_payload when it is not an object, validation_failed with every message
 */
export function validate(schema: TSchema, body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Problem('invalid_payload');
  const { properties, required = [] } = schema as unknown as ObjectSchema;
  const valid: Record<string, unknown> = {};
  const errors: Record<string, string[]> = {};
  for (const [name, member] of Object.entries(properties)) {
    if (member['x-ignored']) continue;
    const given = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
    const value = member['x-trim'] && typeof given === 'string' ? given.trim() : given;
    const isRequired = required.includes(name) || (member['x-filled'] === true && given !== undefined);
    const messages = memberErrors(name, value, member, isRequired);
    if (messages.length > 0) errors[name] = messages;
    else if (!isBlank(value)) valid[name] = value;
    else if (given !== undefined && isNullable(member)) valid[name] = null;
  }
  if (Object.keys(errors).length > 0) throw validationFailed(errors);
  return valid;
}

/** The refusal that lists messages by member; its text is the first message and how many more there are. */
export function validationFailed(errors: MemberErrors): Problem {
  return new Problem('validation_failed', { text: summary(errors), errors, details: details(errors) });
}

function summary(errors: MemberErrors): string {
  const messages = Object.values(errors).flat();
  const more = messages.length - 1;
  return more === 0 ? messages[0]! : `${messages[0]} (and ${more} more ${more === 1 ? 'error' : 'errors'})`;
}

export function details(errors: MemberErrors): ProblemDetail[] {
  return Object.entries(errors).flatMap(([name, messages]) =>
    messages.map((detail) => ({ pointer: `#/${name}`, detail })),
  );
}

/** Missing, null and white space are one state: not given. */
function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** What leaves a required member unfilled; where it is not required, it is of the wrong type. */
function isEmptyCollection(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isNullable(member: MemberSchema): boolean {
  return Array.isArray(member.type) && member.type.includes('null');
}

/** All failing rules of one member, in a fixed order; a member that is not given fails at most `required`. */
function memberErrors(name: string, value: unknown, member: MemberSchema, required: boolean): string[] {
  if (required && (isBlank(value) || isEmptyCollection(value))) return [`The ${name} field is required.`];
  if (isBlank(value)) return [];
  if (member.type === 'integer') {
    return Number.isSafeInteger(value) ? [] : [`The ${name} field must be an integer.`];
  }
  if (member.enum !== undefined && !member.enum.includes(value)) return [`The selected ${name} is invalid.`];
  return textErrors(value, member).map((text) => `The ${name} field ${text}`);
}

function textErrors(value: unknown, member: MemberSchema): string[] {
  const { format, maxLength = Infinity, minLength = 0, 'x-maxBytes': maxBytes = Infinity } = member;
  const isText = typeof value === 'string';
  const errors: string[] = [];
  if (!isText) errors.push('must be a string.');
  else if (!isAcceptableText(value, format)) errors.push('format is invalid.');
  if (format === 'email' && !(isText && isEmailAddress(value))) errors.push('must be a valid email address.');
  if (size(value) > maxLength) errors.push(`must not be greater than ${maxLength} characters.`);
  if (size(value) < minLength) errors.push(`must be at least ${minLength} characters.`);
  if (byteLength(value) > maxBytes) errors.push(`must not be greater than ${maxBytes} bytes.`);
  return errors;
}

/** Passwords are not stored as text; a lone surrogate would still make different passwords the same bytes. */
function isAcceptableText(value: string, format: string | undefined): boolean {
  return format === 'password' ? value.isWellFormed() : isStorable(value);
}

function byteLength(value: unknown): number {
  return typeof value === 'string' ? Buffer.byteLength(value.normalize('NFC'), 'utf8') : 0;
}

/** What the length rules measure: code points of text, elements of a collection, digits of a number. */
function size(value: unknown): number {
  if (typeof value === 'string') return codePointLength(value);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length;
  return value === true ? 1 : value === false ? 0 : String(value).length;
}
