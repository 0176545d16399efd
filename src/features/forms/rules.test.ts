import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { anyText } from '../../../test/support/arbitrary-text.ts';
import { formFieldCases, MESSAGES, TYPES, VALID } from '../../../test/support/form-field-cases.ts';
import { useService } from '../../../test/support/service.ts';
import { insertLoggedInUser } from '../../../test/support/users.ts';
import { checkFormFields, submissionSchema } from './rules.ts';

const PATH = '/api/v1/form-fields/validate';

const getMessages = (fields: unknown) => checkFormFields(fields).map(({ detail }) => detail);

describe('checkFormFields', () => {
  for (const { title, fields, errors } of formFieldCases) {
    test(`checkFormFields ${title}`, () => assert.deepEqual(getMessages(fields), errors));
  }

  test('checkFormFields returns a JSON pointer for each failure', () => {
    assert.deepEqual(checkFormFields([VALID, { label: 'ab', type: 'x' }, 1]), [
      { pointer: '#/fields/1/label', detail: MESSAGES.labelLength },
      { pointer: '#/fields/1/type', detail: MESSAGES.typeInvalid },
      { pointer: '#/fields/1/is_required', detail: MESSAGES.isRequiredRequired },
      { pointer: '#/fields/2', detail: MESSAGES.fieldFormat },
    ]);
    assert.deepEqual(checkFormFields([]), [{ pointer: '#/fields', detail: MESSAGES.fieldsRequired }]);
  });

  test('checkFormFields returns the first 10,000 of many failures', () => {
    const fields = [{ label: 'ab' }, ...Array(5_000).fill({})];
    const failures = checkFormFields(fields);
    assert.equal(failures.length, 10_000);
    assert.deepEqual(failures[0], { pointer: '#/fields/0/label', detail: MESSAGES.labelLength });
    // Three failures per field: the last one is that of the first member of field 3333.
    assert.deepEqual(failures.at(-1), { pointer: '#/fields/3333/label', detail: MESSAGES.labelRequired });
  });

  test('checkFormFields finds a failure after 30,000 valid fields', () => {
    const { labelRequired, typeRequired, isRequiredRequired } = MESSAGES;
    const expected = [labelRequired, typeRequired, isRequiredRequired];
    assert.deepEqual(getMessages([...Array(30_000).fill(VALID), {}]), expected);
  });
});

describe('the schema of form-field submissions', () => {
  const validate = new Ajv().compile(submissionSchema);
  for (const { title, fields, errors } of formFieldCases) {
    test(`the submission schema ${title}`, () => {
      const sent = JSON.parse(JSON.stringify({ fields }));
      assert.equal(validate(sent), errors.length === 0);
    });
  }
});

/** States the rules a second time, by other means than the service. */
function expectedMessages(fields: unknown): string[] {
  if (!Array.isArray(fields) || fields.length === 0) return [MESSAGES.fieldsRequired];
  return fields.flatMap((element) => {
    const members = new Map<string, unknown>(isObject(element) ? Object.entries(element) : []);
    const isAbsent = (name: string) => members.get(name) === undefined || members.get(name) === null;
    const is = (name: string, type: string) => isAbsent(name) || typeof members.get(name) === type;
    const isWellFormed = is('label', 'string') && is('type', 'string') && is('is_required', 'boolean');
    if (!isObject(element) || !isWellFormed) return [MESSAGES.fieldFormat];
    const label = isAbsent('label') ? [] : Array.from(members.get('label') as string);
    const allowed = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-';
    const failures: string[] = [];
    if (label.length === 0) failures.push(MESSAGES.labelRequired);
    else if (label.length < 3 || label.length > 50) failures.push(MESSAGES.labelLength);
    else if (!label.every((character) => allowed.includes(character)))
      failures.push(MESSAGES.labelCharacters);
    if (isAbsent('type') || members.get('type') === '') failures.push(MESSAGES.typeRequired);
    else if (!TYPES.some((type) => type === members.get('type'))) failures.push(MESSAGES.typeInvalid);
    if (isAbsent('is_required')) failures.push(MESSAGES.isRequiredRequired);
    return failures;
  });
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

describe('checkFormFields with arbitrary submissions', () => {
  const hostile = fc.constantFrom('__proto__', 'constructor', 'toString', 'abc\n', '', ' ', 'text', '\ud83d');
  const label = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'aZ0_-'), maxLength: 52 }),
    anyText({ maxLength: 52 }),
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

  test('checkFormFields returns one message per invalid member, in order', () => {
    fc.assert(
      fc.property(fields, (submitted) => {
        assert.deepEqual(getMessages(submitted), expectedMessages(submitted));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('POST /api/v1/form-fields/validate', () => {
  const service = useService('sqlite', { environment: { RATE_LIMITS: 'on' } });
  const submit = (options?: object) => service.api.post(PATH, { fields: [VALID] }, options);

  test('the validation of form fields returns the messages of all rules in order, and none for valid fields', async () => {
    const { status, body } = await submit();
    assert.deepEqual([status, body], [200, { errors: [] }]);
    const fields = [{ label: 'ab', type: 'x' }, 1];
    const { labelLength, typeInvalid, isRequiredRequired, fieldFormat } = MESSAGES;
    const invalid = await service.api.post(PATH, { fields });
    assert.equal(invalid.status, 400);
    assert.deepEqual(invalid.body, {
      error: 'Invalid form fields',
      code: 'validation_failed',
      errors: [labelLength, typeInvalid, isRequiredRequired, fieldFormat],
    });
    const malformed = await service.api.post(PATH, []);
    const text = 'Invalid request payload';
    assert.equal(malformed.status, 400);
    assert.deepEqual(malformed.body, { error: text, code: 'invalid_payload', errors: [text] });
  });

  test('the validation of form fields needs no credential, and rejects a wrong one with 401', async () => {
    assert.equal((await submit()).status, 200);
    assert.equal((await submit({ token: 'wrong' })).status, 401);
  });

  test('the validation of form fields counts under the limit of users, or under that of anonymous callers', async () => {
    const { token } = await insertLoggedInUser(service.service.database);
    assert.match((await submit({ token })).headers.get('ratelimit-policy')!, /^"user"/);
    assert.match((await submit()).headers.get('ratelimit-policy')!, /^"anon"/);
  });
});
