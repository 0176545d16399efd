/** The rules of form-field definitions, case by case: for the unit test of the rules, and for the schema of the description. */

export const MESSAGES = {
  fieldsRequired: 'Fields array is required',
  fieldFormat: 'invalid field format',
  labelRequired: 'Label is required',
  labelLength: 'Label must be between 3 and 50 characters',
  labelCharacters: 'Label can only contain letters, numbers, underscores, and dashes',
  typeRequired: 'Type is required',
  typeInvalid: 'Invalid field type',
  isRequiredRequired: 'IsRequired is required',
};

const {
  fieldsRequired,
  fieldFormat,
  labelRequired,
  labelLength,
  labelCharacters,
  typeRequired,
  typeInvalid,
  isRequiredRequired,
} = MESSAGES;

export const TYPES = ['text', 'number', 'email', 'date', 'checkbox'];
export const VALID = { label: 'first_name', type: 'text', is_required: true };

/** Names of members of JavaScript's objects. */
const OBJECT_MEMBERS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'length'];

export interface FormFieldCase {
  readonly title: string;
  /** The member `fields` of the submission; undefined: absent. */
  readonly fields: unknown;
  /** The messages, in order. */
  readonly errors: readonly string[];
}

const accepts = (what: string, ...fields: unknown[]): FormFieldCase => ({
  title: `accepts ${what}`,
  fields,
  errors: [],
});

const rejects = (what: string, fields: unknown, ...errors: string[]): FormFieldCase => ({
  title: `rejects ${what}`,
  fields,
  errors,
});

/** Returns one field that is valid except for these members. */
const field = (changes: object) => [{ ...VALID, ...changes }];

const submissions: readonly FormFieldCase[] = [
  rejects('absent fields', undefined, fieldsRequired),
  rejects('fields that are null', null, fieldsRequired),
  rejects('an empty list of fields', [], fieldsRequired),
  rejects('fields that are an object', VALID, fieldsRequired),
  rejects('fields that are an object with a length', { 0: VALID, length: 1 }, fieldsRequired),
  rejects('fields that are a string', 'text', fieldsRequired),
  rejects('fields that are true', true, fieldsRequired),
  accepts('a valid field', VALID),
  accepts('two fields with the same label', VALID, VALID),
  accepts('unknown members of a field', { ...VALID, other: 1, Label: '' }),
  rejects('an empty field', [{}], labelRequired, typeRequired, isRequiredRequired),
  rejects(
    'a field whose members are null',
    [{ label: null, type: null, is_required: null }],
    labelRequired,
    typeRequired,
    isRequiredRequired,
  ),
  rejects('fields that are no objects', [1, 'x', null, true, []], ...Array(5).fill(fieldFormat)),
  rejects('a field that is a list', [[VALID]], fieldFormat),
  rejects(
    'a field whose member has the wrong type with one message for the field',
    [{ label: '', type: 1 }],
    fieldFormat,
  ),
  rejects(
    'two invalid fields with the messages of both',
    [
      { label: 'ab', type: 'x' },
      { label: 'ab', type: 'x' },
    ],
    ...[labelLength, typeInvalid, isRequiredRequired, labelLength, typeInvalid, isRequiredRequired],
  ),
  rejects(
    'invalid members in the order of the fields and of the rules, not of the members',
    [1, { is_required: true, type: 'x', label: 'a' }, VALID],
    ...[fieldFormat, labelLength, typeInvalid],
  ),
];

const labels: readonly FormFieldCase[] = [
  rejects('an absent label', field({ label: undefined }), labelRequired),
  rejects('a label that is null', field({ label: null }), labelRequired),
  rejects('an empty label', field({ label: '' }), labelRequired),
  rejects('a label that is a number', field({ label: 123 }), fieldFormat),
  rejects('a label of 2 characters', field({ label: 'ab' }), labelLength),
  accepts('a label of 3 characters', { ...VALID, label: 'abc' }),
  accepts('a label of 50 characters', { ...VALID, label: 'a'.repeat(50) }),
  rejects('a label of 51 characters', field({ label: 'a'.repeat(51) }), labelLength),
  accepts('a label of every class of permitted characters', { ...VALID, label: 'aZ09_-' }),
  rejects('a label of 2 emoji for its length alone', field({ label: '😀😀' }), labelLength),
  rejects('a label of 3 emoji', field({ label: '😀😀😀' }), labelCharacters),
  rejects('a label of 50 emoji for its characters alone', field({ label: '😀'.repeat(50) }), labelCharacters),
  rejects('a label of spaces', field({ label: '   ' }), labelCharacters),
  rejects('a label with a space', field({ label: 'first name' }), labelCharacters),
  rejects('a label with a line break at its end', field({ label: 'abc\n' }), labelCharacters),
  rejects('a label of two lines', field({ label: 'abc\nabc' }), labelCharacters),
  rejects('a label with U+0000', field({ label: 'abc\u0000' }), labelCharacters),
  rejects('a label with accented letters', field({ label: 'prénom' }), labelCharacters),
  rejects('a label with letters beyond ASCII', field({ label: 'größe' }), labelCharacters),
  ...OBJECT_MEMBERS.map((label) => accepts(`the label ${label}`, { ...VALID, label })),
];

const types: readonly FormFieldCase[] = [
  ...TYPES.map((type) => accepts(`the type ${type}`, { ...VALID, type })),
  rejects('an absent type', field({ type: undefined }), typeRequired),
  rejects('an empty type', field({ type: '' }), typeRequired),
  rejects('an unknown type', field({ type: 'password' }), typeInvalid),
  rejects('a type in capitals', field({ type: 'TEXT' }), typeInvalid),
  rejects('a type with an initial capital', field({ type: 'Text' }), typeInvalid),
  rejects('a type with a space at its end', field({ type: 'text ' }), typeInvalid),
  rejects('a type that is a space', field({ type: ' ' }), typeInvalid),
  rejects('a type that is a number', field({ type: 1 }), fieldFormat),
  rejects('a type that is a list', field({ type: ['text'] }), fieldFormat),
  ...OBJECT_MEMBERS.map((type) => rejects(`the type ${type}`, field({ type }), typeInvalid)),
];

const flags: readonly FormFieldCase[] = [
  accepts('is_required that is false', { ...VALID, is_required: false }),
  rejects('an absent is_required', field({ is_required: undefined }), isRequiredRequired),
  rejects('is_required that is null', field({ is_required: null }), isRequiredRequired),
  rejects('is_required that is a string', field({ is_required: 'yes' }), fieldFormat),
  rejects('is_required that is an empty string', field({ is_required: '' }), fieldFormat),
  rejects('is_required that is 0', field({ is_required: 0 }), fieldFormat),
];

export const formFieldCases: readonly FormFieldCase[] = [...submissions, ...labels, ...types, ...flags];
