import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useSharedService } from '../../../test/support/service.ts';
import { catalogue, Problem, type ProblemCode } from '../../problems/problem.ts';
import { type ProblemContext, problemResponse } from './problem-response.ts';

function parsed(problem: Problem, context: ProblemContext) {
  const { status, body } = problemResponse(problem, context);
  return { status, body: JSON.parse(body!) };
}

const service = useSharedService('sqlite');

test('problems have a JSON pointer for each failed rule', async () => {
  const fields = [{ label: 'name', type: 'text', is_required: true }, { label: 'x' }];
  const headers = { accept: 'application/problem+json' };
  const { body } = await service.api.post('/api/v1/form-fields/validate', { fields }, { headers });
  assert.deepEqual(body.errors, [
    { detail: 'Label must be between 3 and 50 characters', pointer: '#/fields/1/label' },
    { detail: 'Type is required', pointer: '#/fields/1/type' },
    { detail: 'IsRequired is required', pointer: '#/fields/1/is_required' },
  ]);
});

describe('problemResponse', () => {
  const plain = { accept: undefined, requestId: 'own-id', publicUrl: 'https://api.example.com' };

  test('problemResponse returns error and code for every code of the catalogue, and message where the catalogue says so', () => {
    for (const code of Object.keys(catalogue) as ProblemCode[]) {
      const { status, text, rendering } = catalogue[code];
      const { body, status: sent } = parsed(new Problem(code), plain);
      assert.equal(sent, status);
      const expected = {
        plain: { error: text, code },
        message: { error: text, code, message: text },
        protocol: { statusCode: status, code, error: text, message: text },
      };
      assert.deepEqual(body, expected[rendering]);
    }
  });

  test('problemResponse links to the public URL and omits the instance when the request id is not a UUID', () => {
    const { body } = parsed(new Problem('forbidden'), {
      ...plain,
      accept: 'application/problem+json',
    });
    assert.equal(body.type, 'https://api.example.com/docs/problems#forbidden');
    assert.ok(!('instance' in body));
  });
});
