/** Every rule of form fields, with the string for each failed one. */
import { invalidFields, invalidPayload } from './bodies.ts';
import type { Case } from './case.ts';

const request = 'POST /api/v1/form-fields/validate';

const REQUIRED = 'Fields array is required';
const FORMAT = 'invalid field format';
const LABEL_REQUIRED = 'Label is required';
const LABEL_LENGTH = 'Label must be between 3 and 50 characters';
const LABEL_CHARACTERS = 'Label can only contain letters, numbers, underscores, and dashes';
const TYPE_REQUIRED = 'Type is required';
const TYPE_INVALID = 'Invalid field type';
const FLAG_REQUIRED = 'IsRequired is required';

const VALID = { label: 'first_name', type: 'text', is_required: true };

const accepts = (what: string, ...fields: unknown[]): Case => ({
  behaviour: `accepts ${what}`,
  request,
  body: { fields },
  status: 200,
  responseBody: { errors: [] },
});

const rejects = (what: string, body: object, ...errors: string[]): Case => ({
  behaviour: `rejects ${what}`,
  request,
  body,
  status: 400,
  responseBody: invalidFields(...errors),
});

/** Returns a body with one field, valid except for these members. */
const field = (changes: object) => ({ fields: [{ ...VALID, ...changes }] });

const rejectsBody = (what: string, raw: string): Case => ({
  behaviour: `rejects ${what}`,
  request,
  raw,
  status: 400,
  responseBody: { ...invalidPayload, errors: ['Invalid request payload'] },
});

export const formFields: readonly Case[] = [
  accepts('a valid field', VALID),
  accepts(
    'one field of each type',
    ...['text', 'number', 'email', 'date', 'checkbox'].map((type) => ({ ...VALID, type })),
  ),
  accepts('is_required false', { ...VALID, is_required: false }),
  accepts(
    'labels that are property names of JavaScript objects',
    { ...VALID, label: '__proto__' },
    { ...VALID, label: 'constructor' },
  ),
  accepts(
    'labels of 3 and of 50 characters',
    { ...VALID, label: 'a-1' },
    { ...VALID, label: 'x'.repeat(50) },
  ),

  rejects('a body without fields', {}, REQUIRED),
  rejects('fields that are null', { fields: null }, REQUIRED),
  rejects('an empty list of fields', { fields: [] }, REQUIRED),
  rejects('fields that are an object', { fields: VALID }, REQUIRED),

  rejects('a missing label', field({ label: undefined }), LABEL_REQUIRED),
  rejects('a label that is null', field({ label: null }), LABEL_REQUIRED),
  rejects('an empty label', field({ label: '' }), LABEL_REQUIRED),
  rejects('a label of 2 characters', field({ label: 'ab' }), LABEL_LENGTH),
  rejects('a label of 51 characters', field({ label: 'x'.repeat(51) }), LABEL_LENGTH),
  rejects('a label with a space', field({ label: 'first name' }), LABEL_CHARACTERS),
  rejects('a label that ends in a line break', field({ label: 'abc\n' }), LABEL_CHARACTERS),
  rejects('a label with letters outside ASCII', field({ label: 'größe' }), LABEL_CHARACTERS),

  rejects('a missing type', field({ type: undefined }), TYPE_REQUIRED),
  rejects('an empty type', field({ type: '' }), TYPE_REQUIRED),
  rejects('an unknown type', field({ type: 'password' }), TYPE_INVALID),
  rejects('a type in capital letters', field({ type: 'TEXT' }), TYPE_INVALID),

  rejects('a missing is_required', field({ is_required: undefined }), FLAG_REQUIRED),
  rejects('is_required null', field({ is_required: null }), FLAG_REQUIRED),

  rejects('a label that is a number', field({ label: 123 }), FORMAT),
  rejects('a type that is a number', field({ type: 1 }), FORMAT),
  rejects('is_required that is a string', field({ is_required: 'yes' }), FORMAT),
  rejects(
    'a field with one string per failed member',
    { fields: [{ label: 'ab', type: 'x' }] },
    LABEL_LENGTH,
    TYPE_INVALID,
    FLAG_REQUIRED,
  ),
  rejects(
    'an element that is not an object, followed by an empty object',
    { fields: [1, {}] },
    FORMAT,
    LABEL_REQUIRED,
    TYPE_REQUIRED,
    FLAG_REQUIRED,
  ),

  rejectsBody('a body that is not JSON', '{"fields":'),
  rejectsBody('an empty body', ''),
  rejectsBody('a body that is a list', '[]'),
  rejectsBody('a body that is a string', '"fields"'),
  rejectsBody('a body that is null', 'null'),
  rejectsBody('a body with a duplicate member', '{"fields":[],"fields":[]}'),
  rejectsBody('a body with a member __proto__', '{"fields":[],"__proto__":{}}'),
];
