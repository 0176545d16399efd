import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { insertLoggedInUser } from '../../../test/support/people.ts';
import { useService } from '../../../test/support/service.ts';
import { checkFormFields } from './rules.ts';

const REQUIRED = 'Fields array is required';
const FORMAT = 'invalid field format';
const LABEL_REQUIRED = 'Label is required';
const LABEL_LENGTH = 'Label must be between 3 and 50 characters';
const LABEL_CHARACTERS = 'Label can only contain letters, numbers, underscores, and dashes';
const TYPE_REQUIRED = 'Type is required';
const TYPE_INVALID = 'Invalid field type';
const FLAG_REQUIRED = 'IsRequired is required';

const TYPES = ['text', 'number', 'email', 'date', 'checkbox'];
const VALID = { label: 'first_name', type: 'text', is_required: true };

const messages = (fields: unknown) => checkFormFields(fields).map(({ detail }) => detail);
const field = (changes: object) => [{ ...VALID, ...changes }];

describe('checkFormFields', () => {
  /** Case, fields, exact messages. */
  const cases: readonly [string, unknown, readonly string[]][] = [
    ['missing fields', undefined, [REQUIRED]],
    ['null as fields', null, [REQUIRED]],
    ['an empty array', [], [REQUIRED]],
    ['an object as fields', { 0: VALID, length: 1 }, [REQUIRED]],
    ['a string as fields', 'text', [REQUIRED]],
    ['true as fields', true, [REQUIRED]],
    ['a valid field', [VALID], []],
    ['two fields with the same label', [VALID, VALID], []],
    ['unknown members', field({ other: 1, Label: '' }), []],
    ['a field without members', [{}], [LABEL_REQUIRED, TYPE_REQUIRED, FLAG_REQUIRED]],
    [
      'members that are null',
      [{ label: null, type: null, is_required: null }],
      [LABEL_REQUIRED, TYPE_REQUIRED, FLAG_REQUIRED],
    ],
    ['empty strings', field({ label: '', type: '' }), [LABEL_REQUIRED, TYPE_REQUIRED]],
    ['elements that are not objects', [1, 'x', null, true, []], Array(5).fill(FORMAT)],
    ['an array in place of a field', [[VALID]], [FORMAT]],
    ['a number as label', field({ label: 123 }), [FORMAT]],
    ['an array as type', field({ type: ['text'] }), [FORMAT]],
    ['a string as is_required', field({ is_required: 'yes' }), [FORMAT]],
    ['an empty string as is_required', field({ is_required: '' }), [FORMAT]],
    ['0 as is_required', field({ is_required: 0 }), [FORMAT]],
    ['a field with a member of the wrong type and other failures', [{ label: '', type: 1 }], [FORMAT]],
    ['false as is_required', field({ is_required: false }), []],
    ['a label of 2 characters', field({ label: 'ab' }), [LABEL_LENGTH]],
    ['a label of 3 characters', field({ label: 'abc' }), []],
    ['a label of 50 characters', field({ label: 'a'.repeat(50) }), []],
    ['a label of 51 characters', field({ label: 'a'.repeat(51) }), [LABEL_LENGTH]],
    ['a label of two emoji, of which the length is reported', field({ label: '😀😀' }), [LABEL_LENGTH]],
    ['a label of three emoji', field({ label: '😀😀😀' }), [LABEL_CHARACTERS]],
    ['a label of 50 emoji', field({ label: '😀'.repeat(50) }), [LABEL_CHARACTERS]],
    ['a label of spaces', field({ label: '   ' }), [LABEL_CHARACTERS]],
    ['a label with a space', field({ label: 'first name' }), [LABEL_CHARACTERS]],
    ['a label with a trailing line break', field({ label: 'abc\n' }), [LABEL_CHARACTERS]],
    ['a label of two lines', field({ label: 'abc\nabc' }), [LABEL_CHARACTERS]],
    ['a label with U+0000', field({ label: 'abc\u0000' }), [LABEL_CHARACTERS]],
    ['a label with an accented letter', field({ label: 'prénom' }), [LABEL_CHARACTERS]],
    ['a label of all allowed kinds of characters', field({ label: 'aZ09_-' }), []],
    ['a capitalized type', field({ type: 'Text' }), [TYPE_INVALID]],
    ['a type with a trailing space', field({ type: 'text ' }), [TYPE_INVALID]],
    ['a space as type', field({ type: ' ' }), [TYPE_INVALID]],
    [
      'two fields with the same failures',
      [
        { label: 'ab', type: 'x' },
        { label: 'ab', type: 'x' },
      ],
      [LABEL_LENGTH, TYPE_INVALID, FLAG_REQUIRED, LABEL_LENGTH, TYPE_INVALID, FLAG_REQUIRED],
    ],
    [
      'several invalid fields, in the order of the fields',
      [1, { is_required: true, type: 'x', label: 'a' }, VALID],
      [FORMAT, LABEL_LENGTH, TYPE_INVALID],
    ],
  ];
  for (const [name, fields, expected] of cases) {
    const outcome = expected.length === 0 ? 'accepts' : 'rejects';
    test(`${outcome} ${name}`, () => assert.deepEqual(messages(fields), expected));
  }

  for (const type of TYPES) {
    test(`accepts the type ${type}`, () => assert.deepEqual(messages(field({ type })), []));
  }

  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'length']) {
    test(`accepts ${name} as a label and rejects it as a type`, () => {
      assert.deepEqual(messages(field({ label: name })), []);
      assert.deepEqual(messages(field({ type: name })), [TYPE_INVALID]);
    });
  }

  test('returns a JSON pointer with each failure', () => {
    assert.deepEqual(checkFormFields([VALID, { label: 'ab', type: 'x' }, 1]), [
      { pointer: '#/fields/1/label', detail: LABEL_LENGTH },
      { pointer: '#/fields/1/type', detail: TYPE_INVALID },
      { pointer: '#/fields/1/is_required', detail: FLAG_REQUIRED },
      { pointer: '#/fields/2', detail: FORMAT },
    ]);
    assert.deepEqual(checkFormFields([]), [{ pointer: '#/fields', detail: REQUIRED }]);
  });
});

/** An independent implementation of the rules. */
function expectedMessages(fields: unknown): string[] {
  if (!Array.isArray(fields) || fields.length === 0) return [REQUIRED];
  return fields.flatMap((element) => {
    const members = new Map<string, unknown>(isObject(element) ? Object.entries(element) : []);
    const absent = (name: string) => members.get(name) === undefined || members.get(name) === null;
    const is = (name: string, type: string) => absent(name) || typeof members.get(name) === type;
    const wellFormed = is('label', 'string') && is('type', 'string') && is('is_required', 'boolean');
    if (!isObject(element) || !wellFormed) return [FORMAT];
    const label = absent('label') ? [] : Array.from(members.get('label') as string);
    const allowed = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-';
    const failures: string[] = [];
    if (label.length === 0) failures.push(LABEL_REQUIRED);
    else if (label.length < 3 || label.length > 50) failures.push(LABEL_LENGTH);
    else if (!label.every((character) => allowed.includes(character))) failures.push(LABEL_CHARACTERS);
    if (absent('type') || members.get('type') === '') failures.push(TYPE_REQUIRED);
    else if (!TYPES.some((type) => type === members.get('type'))) failures.push(TYPE_INVALID);
    if (absent('is_required')) failures.push(FLAG_REQUIRED);
    return failures;
  });
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

describe('checkFormFields with generated input', () => {
  const hostile = fc.constantFrom('__proto__', 'constructor', 'toString', 'abc\n', '', ' ', 'text', '\ud83d');
  const label = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'aZ0_-'), maxLength: 52 }),
    fc.string({ unit: 'binary', maxLength: 52 }),
    hostile,
    fc.jsonValue(),
  );
  const type = fc.oneof(fc.constantFrom(...TYPES), hostile, fc.jsonValue());
  const flag = fc.oneof(fc.boolean(), fc.jsonValue());
  const definition = fc.record(
    { label, type, is_required: flag, other: fc.jsonValue() },
    { requiredKeys: [] },
  );
  const fields = fc.oneof(
    fc.array(fc.oneof({ weight: 5, arbitrary: definition }, fc.jsonValue())),
    fc.jsonValue(),
  );

  test('returns one message per invalid member, in order', () => {
    fc.assert(
      fc.property(fields, (submitted) => assert.deepEqual(messages(submitted), expectedMessages(submitted))),
      { numRuns: 3_000 },
    );
  });
});

describe('checkFormFields with more than 10,000 failures', () => {
  test('returns the first 10,000 of them', () => {
    const fields = [{ label: 'ab' }, ...Array(5_000).fill({})];
    const listed = checkFormFields(fields);
    assert.equal(listed.length, 10_000);
    assert.deepEqual(listed[0], { pointer: '#/fields/0/label', detail: LABEL_LENGTH });
    // Each field has 3 failures, so the 10,000th is that of the first member of field 3333.
    assert.deepEqual(listed.at(-1), { pointer: '#/fields/3333/label', detail: LABEL_REQUIRED });
  });

  test('finds a failure after 30,000 valid fields', () => {
    assert.deepEqual(messages([...Array(30_000).fill(VALID), {}]), [
      LABEL_REQUIRED,
      TYPE_REQUIRED,
      FLAG_REQUIRED,
    ]);
  });
});

describe('POST /api/v1/form-fields/validate', () => {
  const service = useService('sqlite', { environment: { RATE_LIMITS: 'on' } });
  const submit = (options?: object) =>
    service.api.post('/api/v1/form-fields/validate', { fields: [VALID] }, options);

  test('accepts requests without a credential and rejects a wrong one with 401', async () => {
    assert.equal((await submit()).status, 200);
    assert.equal((await submit({ token: 'wrong' })).status, 401);
  });

  test('counts a logged-in user by the limit of users and an anonymous caller by that of anonymous callers', async () => {
    const { token } = await insertLoggedInUser(service.service.database);
    assert.match((await submit({ token })).headers.get('ratelimit-policy')!, /^"user"/);
    assert.match((await submit()).headers.get('ratelimit-policy')!, /^"anon"/);
  });
});
