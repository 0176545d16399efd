import assert from 'node:assert/strict';
import { test } from 'node:test';
import { description, formatErrors, validatorAt } from '../../../test/support/description/description.ts';
import { pointerTo } from '../../../test/support/description/json-reference.ts';
import { getOperations } from './operations.ts';
import { getExamples, getResponseExamples } from './samples.ts';
import { type Json, resolveResponse } from './schema.ts';

test('every response of every operation that has content has an example in the reference', () => {
  for (const { id, details } of getOperations(description)) {
    for (const [status, reference] of Object.entries<Json>(details.responses)) {
      const response = resolveResponse(description, reference);
      if (response.content === undefined) continue;
      const examples = getResponseExamples(description, status, response);
      for (const [, { value }] of examples) assert.notEqual(value ?? null, null, `${id} ${status}`);
      assert.ok(examples.length > 0, `${id} ${status}`);
    }
  }
});

test('examples that the reference generates from schemas are valid against them', () => {
  let generated = 0;
  for (const [path, item] of Object.entries<Json>(description.paths)) {
    for (const [method, { responses = {} }] of Object.entries<Json>(item)) {
      for (const [status, { content = {} }] of Object.entries<Json>(responses)) {
        for (const [type, media] of Object.entries<Json>(content)) {
          if (media.examples !== undefined || !/^application\/json/.test(type)) continue;
          const names = [path, method, 'responses', status, 'content', type, 'schema'];
          const validate = validatorAt(pointerTo('#/paths', ...names));
          const [[, { value }] = []] = getExamples(description, media) as Json;
          assert.ok(validate(value), `${method} ${path} ${status}: ${formatErrors(validate)}`);
          generated += 1;
        }
      }
    }
  }
  assert.ok(generated > 0);
});
