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

describe('form-field definitions', () => {
  /** What it shows, the fields, the exact messages. */
  const table: readonly [string, unknown, readonly string[]][] = [
    ['fields left out', undefined, [REQUIRED]],
    ['fields that are null', null, [REQUIRED]],
    ['no field at all', [], [REQUIRED]],
    ['fields that are an object', { 0: VALID, length: 1 }, [REQUIRED]],
    ['fields that are a text', 'text', [REQUIRED]],
    ['fields that are true', true, [REQUIRED]],
    ['a valid field', [VALID], []],
    ['two alike: nothing asks for different labels', [VALID, VALID], []],
    ['members that nobody named', field({ other: 1, Label: '' }), []],
    ['an empty object', [{}], [LABEL_REQUIRED, TYPE_REQUIRED, FLAG_REQUIRED]],
    [
      'null members',
      [{ label: null, type: null, is_required: null }],
      [LABEL_REQUIRED, TYPE_REQUIRED, FLAG_REQUIRED],
    ],
    ['empty texts', field({ label: '', type: '' }), [LABEL_REQUIRED, TYPE_REQUIRED]],
    ['elements that are no objects', [1, 'x', null, true, []], Array(5).fill(FORMAT)],
    ['an array in place of a field', [[VALID]], [FORMAT]],
    ['a label that is a number', field({ label: 123 }), [FORMAT]],
    ['a type that is a list', field({ type: ['text'] }), [FORMAT]],
    ['a flag that is a text', field({ is_required: 'yes' }), [FORMAT]],
    ['a flag that is an empty text', field({ is_required: '' }), [FORMAT]],
    ['a flag that is 0', field({ is_required: 0 }), [FORMAT]],
    ['one wrong member hides the other rules', [{ label: '', type: 1 }], [FORMAT]],
    ['a flag that is false', field({ is_required: false }), []],
    ['a label of 2', field({ label: 'ab' }), [LABEL_LENGTH]],
    ['a label of 3', field({ label: 'abc' }), []],
    ['a label of 50', field({ label: 'a'.repeat(50) }), []],
    ['a label of 51', field({ label: 'a'.repeat(51) }), [LABEL_LENGTH]],
    ['a label of two emoji: short before it is wrong', field({ label: '😀😀' }), [LABEL_LENGTH]],
    ['a label of three emoji', field({ label: '😀😀😀' }), [LABEL_CHARACTERS]],
    ['a label of 50 emoji', field({ label: '😀'.repeat(50) }), [LABEL_CHARACTERS]],
    ['a label of spaces: they are characters', field({ label: '   ' }), [LABEL_CHARACTERS]],
    ['a label with a space', field({ label: 'first name' }), [LABEL_CHARACTERS]],
    ['a label with a line break at its end', field({ label: 'abc\n' }), [LABEL_CHARACTERS]],
    ['a label of two lines', field({ label: 'abc\nabc' }), [LABEL_CHARACTERS]],
    ['a label with U+0000', field({ label: 'abc\u0000' }), [LABEL_CHARACTERS]],
    ['a label with an accent', field({ label: 'prénom' }), [LABEL_CHARACTERS]],
    ['a label of all kinds of characters', field({ label: 'aZ09_-' }), []],
    ['a type in capitals', field({ type: 'Text' }), [TYPE_INVALID]],
    ['a type with a space', field({ type: 'text ' }), [TYPE_INVALID]],
    ['a type that is a space: it is there', field({ type: ' ' }), [TYPE_INVALID]],
    [
      'two short fields: every failure stands there twice',
      [
        { label: 'ab', type: 'x' },
        { label: 'ab', type: 'x' },
      ],
      [LABEL_LENGTH, TYPE_INVALID, FLAG_REQUIRED, LABEL_LENGTH, TYPE_INVALID, FLAG_REQUIRED],
    ],
    [
      'the order of the fields, not of the members',
      [1, { is_required: true, type: 'x', label: 'a' }, VALID],
      [FORMAT, LABEL_LENGTH, TYPE_INVALID],
    ],
  ];
  for (const [shows, fields, expected] of table) {
    test(shows, () => assert.deepEqual(messages(fields), expected));
  }

  for (const type of TYPES) {
    test(`${type} is a type`, () => assert.deepEqual(messages(field({ type })), []));
  }

  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'length']) {
    test(`${name} is a label like any other, and no type`, () => {
      assert.deepEqual(messages(field({ label: name })), []);
      assert.deepEqual(messages(field({ type: name })), [TYPE_INVALID]);
    });
  }

  test('each failure points to its place', () => {
    assert.deepEqual(checkFormFields([VALID, { label: 'ab', type: 'x' }, 1]), [
      { pointer: '#/fields/1/label', detail: LABEL_LENGTH },
      { pointer: '#/fields/1/type', detail: TYPE_INVALID },
      { pointer: '#/fields/1/is_required', detail: FLAG_REQUIRED },
      { pointer: '#/fields/2', detail: FORMAT },
    ]);
    assert.deepEqual(checkFormFields([]), [{ pointer: '#/fields', detail: REQUIRED }]);
  });
});

/** The rules once more, as sentences and without the means of the product. */
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

describe('any form-field submission', () => {
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

  test('gets one string per failing member, in order', () => {
    fc.assert(
      fc.property(fields, (submitted) => assert.deepEqual(messages(submitted), expectedMessages(submitted))),
      { numRuns: 3_000 },
    );
  });
});

describe('a submission with very many failures', () => {
  test('gets the first ten thousand of them', () => {
    const fields = [{ label: 'ab' }, ...Array(5_000).fill({})];
    const listed = checkFormFields(fields);
    assert.equal(listed.length, 10_000);
    assert.deepEqual(listed[0], { pointer: '#/fields/0/label', detail: LABEL_LENGTH });
    // 3 failures a field: the last place goes to the first member of field 3333.
    assert.deepEqual(listed.at(-1), { pointer: '#/fields/3333/label', detail: LABEL_REQUIRED });
  });

  test('is checked to its end when the fields are right', () => {
    assert.deepEqual(messages([...Array(30_000).fill(VALID), {}]), [
      LABEL_REQUIRED,
      TYPE_REQUIRED,
      FLAG_REQUIRED,
    ]);
  });
});

describe('the check', () => {
  const service = useService('sqlite', { environment: { RATE_LIMITS: 'on' } });
  const submit = (options?: object) =>
    service.api.post('/api/v1/form-fields/validate', { fields: [VALID] }, options);

  test('needs no credential, and refuses a wrong one', async () => {
    assert.equal((await submit()).status, 200);
    assert.equal((await submit({ token: 'wrong' })).status, 401);
  });

  test('counts who is logged in as a user', async () => {
    const { token } = await insertLoggedInUser(service.service.database);
    assert.match((await submit({ token })).headers.get('ratelimit-policy')!, /^"user"/);
    assert.match((await submit()).headers.get('ratelimit-policy')!, /^"anon"/);
  });
});
