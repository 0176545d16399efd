import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { description, operations } from '../../test/support/description/description.ts';
import { getExamples, resolveReferences, toDescription } from './description.ts';

/** A document with two schemas and the schema of a response that refers to them. */
function resolveSchema(schema: object) {
  const schemas = {
    Id: { type: 'string', description: 'An id.' },
    User: { type: 'object', required: ['id'], properties: { id: { $ref: '#/components/schemas/Id' } } },
  };
  return resolveReferences({ components: { schemas }, schema }).schema;
}

describe('the description in the reference', () => {
  const id = { type: 'string', description: 'An id.', title: 'Id' };

  test('a reference becomes its target, with the name of the schema as its title', () => {
    assert.deepEqual(resolveSchema({ items: { $ref: '#/components/schemas/Id' } }), { items: id });
  });

  test('members beside a reference replace those of its target', () => {
    const schema = { $ref: '#/components/schemas/Id', description: 'The id of the user.' };
    assert.deepEqual(resolveSchema(schema), { ...id, description: 'The id of the user.' });
  });

  test('the parts of allOf become one object without a title', () => {
    const further = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
    assert.deepEqual(resolveSchema({ allOf: [{ $ref: '#/components/schemas/User' }, further] }), {
      type: 'object',
      title: undefined,
      required: ['id', 'name'],
      properties: { id, name: { type: 'string' } },
    });
  });

  const OAUTH = /^\/oauth\//;
  const { groups } = toDescription(description);
  const all = groups.flatMap((group) => group.operations);

  test('the groups of the reference have every operation of the description once', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    assert.deepEqual(all.map((operation) => operation.id).sort(), ids.sort());
  });

  test('every response with a body has an example, except exports, streams, schemas, statistics and errors of OAuth', () => {
    const without = all.flatMap(({ id: operationId, path, responses }) =>
      responses
        .filter((response) => response.content !== undefined && getExamples(response).length === 0)
        // Errors of OAuth have one shape and a description for each code.
        .filter(({ status }) => !OAUTH.test(path) || Number(status) < 400)
        .map(({ status }) => `${operationId} ${status}`),
    );
    assert.deepEqual(without.sort(), [
      'exportEvents 200',
      'exportUsers 200',
      'getDashboard 200',
      'getFormSchema 200',
      'getFormVersionSchema 200',
      'getStatus 200',
      'streamEvents 200',
    ]);
  });
});
