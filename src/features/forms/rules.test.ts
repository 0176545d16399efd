import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv } from 'ajv';
import { formFieldCases, MESSAGES, VALID } from '../../../test/support/form-field-cases.ts';
import { useService } from '../../../test/support/service.ts';
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
});
