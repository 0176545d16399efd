/** Every rule of form fields: what each member may be, and the string for each that fails. */
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

const accepted = (shows: string, ...fields: unknown[]): Case => ({
  shows,
  request,
  body: { fields },
  status: 200,
  createdResources: { errors: [] },
});

const refused = (shows: string, body: object, ...errors: string[]): Case => ({
  shows,
  request,
  body,
  status: 400,
  createdResources: invalidFields(...errors),
});

/** One field that is valid but for these members. */
const field = (changes: object) => ({ fields: [{ ...VALID, ...changes }] });

const malformed = (shows: string, raw: string): Case => ({
  shows,
  request,
  raw,
  status: 400,
  createdResources: { ...invalidPayload, errors: ['Invalid request payload'] },
});

export const formFields: readonly Case[] = [
  accepted('a valid field', VALID),
  accepted(
    'one of each type',
    ...['text', 'number', 'email', 'date', 'checkbox'].map((type) => ({ ...VALID, type })),
  ),
  accepted('a flag that is false', { ...VALID, is_required: false }),
  accepted(
    'labels that are names of JavaScript',
    { ...VALID, label: '__proto__' },
    { ...VALID, label: 'constructor' },
  ),
  accepted('labels of 3 and of 50', { ...VALID, label: 'a-1' }, { ...VALID, label: 'x'.repeat(50) }),

  refused('no fields', {}, REQUIRED),
  refused('fields null', { fields: null }, REQUIRED),
  refused('fields empty', { fields: [] }, REQUIRED),
  refused('fields an object', { fields: VALID }, REQUIRED),

  refused('label left out', field({ label: undefined }), LABEL_REQUIRED),
  refused('label null', field({ label: null }), LABEL_REQUIRED),
  refused('label empty', field({ label: '' }), LABEL_REQUIRED),
  refused('label of 2', field({ label: 'ab' }), LABEL_LENGTH),
  refused('label of 51', field({ label: 'x'.repeat(51) }), LABEL_LENGTH),
  refused('label with a space', field({ label: 'first name' }), LABEL_CHARACTERS),
  refused('label that ends in a line break', field({ label: 'abc\n' }), LABEL_CHARACTERS),
  refused('label of other letters', field({ label: 'größe' }), LABEL_CHARACTERS),

  refused('type left out', field({ type: undefined }), TYPE_REQUIRED),
  refused('type empty', field({ type: '' }), TYPE_REQUIRED),
  refused('type unknown', field({ type: 'password' }), TYPE_INVALID),
  refused('type in capitals', field({ type: 'TEXT' }), TYPE_INVALID),

  refused('is_required left out', field({ is_required: undefined }), FLAG_REQUIRED),
  refused('is_required null', field({ is_required: null }), FLAG_REQUIRED),

  refused('label of another type', field({ label: 123 }), FORMAT),
  refused('type of another type', field({ type: 1 }), FORMAT),
  refused('is_required of another type', field({ is_required: 'yes' }), FORMAT),
  refused(
    'one string per failing member',
    { fields: [{ label: 'ab', type: 'x' }] },
    LABEL_LENGTH,
    TYPE_INVALID,
    FLAG_REQUIRED,
  ),
  refused(
    'an element that is no definition, then an empty one',
    { fields: [1, {}] },
    FORMAT,
    LABEL_REQUIRED,
    TYPE_REQUIRED,
    FLAG_REQUIRED,
  ),

  malformed('no JSON', '{"fields":'),
  malformed('nothing', ''),
  malformed('a list', '[]'),
  malformed('a text', '"fields"'),
  malformed('null', 'null'),
  malformed('a member twice', '{"fields":[],"fields":[]}'),
  malformed('a member __proto__', '{"fields":[],"__proto__":{}}'),
];
