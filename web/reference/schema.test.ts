import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { description } from '../../test/support/description/description.ts';
import type { Json } from './description.ts';
import { formatType, getLimits, listMembers } from './schema.ts';

describe('schemas in the reference', () => {
  for (const [schema, type, limits] of [
    [{ type: 'string', format: 'email', maxLength: 255 }, 'string (email)', ['at most 255 characters']],
    [{ type: ['string', 'null'], minLength: 1 }, 'string or null', ['at least 1 character']],
    [{ type: 'integer', minimum: 1, maximum: 9, default: 2 }, 'integer', ['1 to 9', 'default 2']],
    [{ type: 'string', minLength: 3, maxLength: 3 }, 'string', ['exactly 3 characters']],
    [{ type: 'string', pattern: '^a$' }, 'string', ['pattern ^a$']],
    [{ type: 'string', enum: ['a', 'b'] }, 'string', ['one of "a", "b"']],
    [{ type: 'string', enum: [...'abcdefghijklm'] }, 'string', ['one of 13 values']],
    [{ type: 'boolean', const: true }, 'boolean', ['always true']],
    [
      { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] },
      'string (date) or string (date-time)',
      [],
    ],
    [
      { type: 'array', minItems: 1, maxItems: 5, uniqueItems: true, items: { type: 'string', maxLength: 9 } },
      'array of string',
      ['1 to 5 items', 'unique items', 'each: at most 9 characters'],
    ],
    [{ type: 'array', items: { type: 'object', title: 'Field' } }, 'array of Field', []],
    [
      { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 20 },
      'map',
      ['at most 20 members'],
    ],
    [{ description: 'Ignored.' }, 'any', []],
  ] as const)
    test(`${JSON.stringify(schema)} is shown as ${type}, ${limits.join(', ') || 'without limits'}`, () => {
      assert.deepEqual([formatType(schema), getLimits(schema)], [type, limits]);
    });

  test('members are listed with their paths, and those that alternatives share once', () => {
    const text = { type: 'string' };
    const id = { type: 'object', required: ['id'], properties: { id: text } };
    const schema = {
      type: 'object',
      properties: {
        data: { anyOf: [id, { ...id, properties: { id: text, name: text } }] },
        list: { type: 'array', items: id },
        texts: { type: 'object', additionalProperties: id },
      },
    };
    const labels = listMembers(schema).map(({ label, isRequired }) => `${label}${isRequired ? '!' : ''}`);
    assert.deepEqual(labels, [
      'data',
      'data.id!',
      'data.name',
      'list',
      'list[].id!',
      'texts',
      'texts{name}.id!',
    ]);
  });

  test('the reference shows every keyword that a schema of the description has', () => {
    const shown =
      'type format enum const minLength maxLength minItems maxItems minProperties maxProperties minimum maximum ' +
      'pattern uniqueItems default anyOf oneOf allOf items properties required additionalProperties deprecated ' +
      'description examples $ref';
    const found = new Set<string>();
    const collect = (schema: Json) => {
      if (typeof schema !== 'object') return;
      const { items, properties = {}, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema;
      for (const keyword of Object.keys(schema)) found.add(keyword);
      for (const each of [
        items,
        additionalProperties,
        ...Object.values(properties),
        ...anyOf,
        ...oneOf,
        ...allOf,
      ])
        collect(each);
    };
    // `x-` keywords are extensions.
    for (const schema of Object.values(description.components.schemas)) collect(schema);
    const others = [...found].filter((each) => !each.startsWith('x-') && !shown.split(' ').includes(each));
    assert.deepEqual(others, []);
  });
});
