import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type TSchema, Type } from '../lib/schema.ts';
import { compileSerializer } from './serializer.ts';

const person = Type.Object({ id: Type.String(), name: Type.Optional(Type.String()) }, { $id: 'Person' });

const serialized = (schema: TSchema, value: unknown) =>
  JSON.parse(compileSerializer(schema, [person])(value));

describe('what leaves through a response schema', () => {
  test('is what the schema names, in the order of the schema', () => {
    const schema = Type.Object({ b: Type.Integer(), a: Type.String() });
    assert.equal(compileSerializer(schema, [])({ secret: 1, a: 'x', b: 2 }), '{"b":2,"a":"x"}');
  });

  test('is held to the schema inside of lists and of schemas that are referred to', () => {
    const schema = Type.Object({ people: Type.Array(Type.Ref('Person')) });
    const value = { people: [{ id: '1', name: 'Ada', password_hash: 'x' }, { id: '2' }] };
    assert.deepEqual(serialized(schema, value), { people: [{ id: '1', name: 'Ada' }, { id: '2' }] });
  });

  test('keeps null, and leaves out what is undefined', () => {
    const schema = Type.Object({ a: Type.Optional(Type.Ref('Person')), b: Type.Unknown() });
    assert.deepEqual(serialized(schema, { a: null, b: undefined }), { a: null });
  });

  test('follows the first alternative whose required members are there', () => {
    const schema = Type.Union(Type.Object({ id: Type.String(), level: Type.String() }), Type.Ref('Person'));
    assert.deepEqual(serialized(schema, { id: '1', level: 'gold', more: 1 }), { id: '1', level: 'gold' });
    assert.deepEqual(serialized(schema, { id: '1', more: 1 }), { id: '1' });
    assert.throws(() => serialized(schema, { more: 1 }));
  });

  test('a reference to nothing is found when the schema is compiled', () => {
    assert.throws(() => compileSerializer(Type.Ref('Nobody'), [person]));
  });

  test('never has a member that the schema does not name, whatever the value', () => {
    const schema = Type.Object({ id: Type.Unknown() });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const copy = serialized(schema, value);
        assert.deepEqual(
          copy,
          Object.hasOwn(value, 'id') ? { id: JSON.parse(JSON.stringify(value.id)) } : {},
        );
      }),
    );
  });
});
