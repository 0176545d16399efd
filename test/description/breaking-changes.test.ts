/** The comparison of descriptions that test/description/compatibility.test.ts relies on. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { breakingChanges } from '../support/description/breaking-changes.ts';
import { changedExample, exampleDescription, GONE } from '../support/description/description-example.ts';
import type { Json } from '../support/description/json-reference.ts';

type Case = readonly [change: string, where: string, value: unknown];

const newParameter = { name: 'sort', in: 'query', schema: { type: 'string', enum: ['name'] } };
const requiredParameter = { ...newParameter, required: true };
const asCsv = { 'text/csv': { schema: { type: 'string' } } };

const breaking: readonly Case[] = [
  ['removing a path', 'paths /things', GONE],
  ['removing an operation', 'paths /things.post', GONE],
  ['removing a successful response', 'operation responses.202', GONE],
  ['removing a response header', 'operation responses.200.headers.ETag', GONE],
  ['changing the media type of a response', 'operation responses.200.content', asCsv],
  ['removing the body of a response', 'operation responses.200.content', GONE],
  ['removing a member of a response', 'shown properties.count', GONE],
  ['making a member of a response optional', 'shown required', ['id']],
  ['changing the type of a member of a response', 'shown properties.count.type', 'string'],
  ['making a member of a response nullable', 'shown properties.count.type', ['integer', 'null']],
  ['widening a member of a response from integer to number', 'shown properties.count.type', 'number'],
  ['removing the type of a member of a response', 'shown properties.count.type', GONE],
  ['changing the format of a member of a response', 'shown properties.id.format', 'uri'],
  ['changing the item type of a list in a response', 'shown properties.tags.items.type', 'integer'],
  ['removing the item type of a list in a response', 'shown properties.tags.items', GONE],
  ['changing the media type of a request', 'operation requestBody.content', asCsv],
  ['removing the request body', 'operation requestBody', GONE],
  ['requiring the request body', 'operation requestBody.required', true],
  ['requiring an optional member of the request', 'sent required.+', 'note'],
  ['requiring a new member of the request', 'sent required.+', 'color'],
  ['rejecting unknown members of the request', 'sent additionalProperties', false],
  ['changing the type of a member of the request', 'sent properties.name.type', 'integer'],
  ['rejecting null in the request', 'sent properties.note.type', 'string'],
  ['rejecting an accepted value in the request', 'sent properties.state.enum', ['open']],
  ['restricting a member of the request to certain values', 'sent properties.name.enum', ['a']],
  ['adding a minimum length to a member of the request', 'sent properties.note.minLength', 1],
  ['raising the minimum length of a member of the request', 'sent properties.name.minLength', 2],
  ['adding a maximum length to a member of the request', 'sent properties.note.maxLength', 10_000],
  ['lowering the maximum length of a member of the request', 'sent properties.name.maxLength', 254],
  ['raising the minimum of a member of the request', 'sent properties.count.minimum', 1],
  ['lowering the maximum of a member of the request', 'sent properties.count.maximum', 99],
  ['adding a pattern to a member of the request', 'sent properties.name.pattern', '^[a-z]+$'],
  ['adding a format to a member of the request', 'sent properties.name.format', 'email'],
  ['lowering a bound on the items of a list in the request', 'sent properties.tags.items.maxLength', 49],
  ['adding a bound on the length of a list in the request', 'sent properties.tags.maxItems', 10],
  ['removing a parameter', 'operation parameters.1', GONE],
  ['requiring a parameter', 'operation parameters.1.required', true],
  ['requiring a request header', 'operation parameters.2.required', true],
  ['adding a required parameter', 'operation parameters.+', requiredParameter],
  ['adding a bound to a parameter', 'operation parameters.1.schema.maximum', 100],
  ['requiring a credential', 'operation security', [{ userToken: [] }]],
  ['requiring another credential', 'operation security', [{}, { adminToken: [] }]],
];

const harmless: readonly Case[] = [
  ['adding a path', 'paths /others', { get: { responses: {} } }],
  ['adding an operation', 'paths /things.get', { responses: {} }],
  ['adding a successful response', 'operation responses.204', {}],
  ['adding a response header', 'operation responses.200.headers.Link', {}],
  ['adding a media type to a response', 'operation responses.200.content.text/csv', {}],
  ['adding a member to a response', 'shown properties.color', { type: 'string' }],
  ['always returning an optional member of a response', 'shown required.+', 'count'],
  ['never returning null in a response', 'shown properties.name.type', 'string'],
  ['adding a value to a response', 'shown properties.state.enum.+', 'lost'],
  ['removing a value from a response', 'shown properties.state.enum', ['open']],
  ['allowing any value in a response', 'shown properties.state.enum', GONE],
  ['reordering the required members of a response', 'shown required', ['name', 'id']],
  ['adding an error response', 'operation responses.409', {}],
  ['removing an error response', 'operation responses.404', GONE],
  ['removing an error code', 'operation responses.404.content.application/json.examples.not_found', GONE],
  ['adding an optional member to the request', 'sent properties.color', { type: 'string', minLength: 3 }],
  ['making a required member of the request optional', 'sent required', []],
  ['ignoring a member of the request', 'sent properties.note', GONE],
  ['accepting null in the request', 'sent properties.name.type', ['string', 'null']],
  ['accepting every number in the request', 'sent properties.count.type', 'number'],
  ['accepting every type in the request', 'sent properties.count.type', GONE],
  ['accepting a new value in the request', 'sent properties.state.enum.+', 'lost'],
  ['accepting every value in the request', 'sent properties.state.enum', GONE],
  [
    'widening the bounds of a member of the request',
    'sent properties.name',
    { type: 'string', minLength: 0, maxLength: 256 },
  ],
  ['removing the bounds of a member of the request', 'sent properties.count', { type: 'integer' }],
  ['accepting lists of anything in the request', 'sent properties.tags.items', GONE],
  ['adding an optional parameter', 'operation parameters.+', newParameter],
  ['changing the case of a header name', 'operation parameters.2.name', 'if-match'],
  ['accepting a further credential', 'operation security.+', { adminToken: [] }],
  ['ignoring credentials', 'operation security', []],
  ['rewording a description', 'sent properties.name.description', 'Other words.'],
  ['changing an example', 'operation requestBody.content.application/json.example', { name: 'Other' }],
];

describe('breaking changes', () => {
  for (const [change, where, value] of breaking) {
    test(`breakingChanges reports ${change} as one breaking change of its operation, also behind references`, () => {
      const after = changedExample(where, value);
      const [sentence, ...more] = breakingChanges(exampleDescription(), after);
      assert.match(sentence ?? '', /^POST \/things\b/);
      assert.deepEqual(more, []);
      assert.equal(breakingChanges(exampleDescription(), withComponents(after)).length, 1);
    });
  }

  test('breakingChanges reports reading credentials where they were ignored', () => {
    const open = changedExample('operation x-access', 'public');
    assert.equal(breakingChanges(open, exampleDescription()).length, 1);
    assert.deepEqual(breakingChanges(exampleDescription(), open), []);
  });
});

describe('harmless changes', () => {
  for (const [change, where, value] of harmless) {
    test(`breakingChanges accepts ${change}`, () => {
      assert.deepEqual(breakingChanges(exampleDescription(), changedExample(where, value)), []);
    });
  }

  test('breakingChanges accepts moving schemas, parameters, bodies, responses and headers into or out of components', () => {
    const referring = withComponents(exampleDescription());
    const { parameters, requestBody, responses } = referring.paths['/things'].post;
    for (const node of [parameters[0], requestBody, responses[200]])
      assert.deepEqual(Object.keys(node), ['$ref']);
    assert.deepEqual(breakingChanges(exampleDescription(), referring), []);
    assert.deepEqual(breakingChanges(referring, exampleDescription()), []);
  });

  test('breakingChanges accepts moving a response header to those that all operations have', () => {
    const { headers } = exampleDescription().paths['/things'].post.responses[200];
    const after = changedExample('operation responses.200.headers', GONE);
    after['x-common-headers'] = headers;
    assert.deepEqual(breakingChanges(exampleDescription(), after), []);
    assert.equal(breakingChanges(after, exampleDescription()).length, 0);
  });

  test('breakingChanges compares the members of a schema that extends another', () => {
    const { required, properties, ...rest } = exampleDescription().components.schemas.Thing;
    const { id, ...more } = properties;
    const parts = [
      { type: 'object', required: ['id'], properties: { id } },
      { required: required.filter((name: string) => name !== 'id'), properties: more },
    ];
    const extending = exampleDescription();
    extending.components.schemas.Thing = { ...rest, allOf: parts };
    assert.deepEqual(breakingChanges(exampleDescription(), extending), []);
    assert.deepEqual(breakingChanges(extending, exampleDescription()), []);
    const changed = structuredClone(extending);
    changed.components.schemas.Thing.allOf[0] = { type: 'object' };
    const [sentence, ...others] = breakingChanges(exampleDescription(), changed);
    assert.match(sentence ?? '', /\.id is gone$/);
    assert.deepEqual(others, []);
  });

  test('breakingChanges accepts moving a schema out of the components', () => {
    const referring = exampleDescription();
    const media = referring.paths['/things'].post.responses[200].content['application/json'];
    const inline = changedExample('operation responses.200.content.application/json.schema', {
      ...referring.components.schemas.Thing,
    });
    assert.deepEqual(media.schema, { $ref: '#/components/schemas/Thing' });
    assert.deepEqual(breakingChanges(referring, inline), []);
    assert.deepEqual(breakingChanges(inline, referring), []);
  });
});

/** Moves the parts of every operation into components, and leaves references in their places. */
function withComponents(document: Json): Json {
  const components: Json = { ...document.components };
  const moved = (kind: string, part: Json) => {
    components[kind] ??= {};
    const name = `Part${Object.keys(components[kind]).length}`;
    components[kind][name] = part;
    return { $ref: `#/components/${kind}/${name}` };
  };
  const movedOperation = ({ parameters, requestBody, responses, ...rest }: Json) => ({
    ...rest,
    ...(parameters && { parameters: parameters.map((each: Json) => moved('parameters', each)) }),
    ...(requestBody && { requestBody: moved('requestBodies', requestBody) }),
    responses: mapValues(responses, (response) =>
      moved('responses', {
        ...response,
        headers: mapValues(response.headers ?? {}, (header) => moved('headers', header)),
      }),
    ),
  });
  const paths = mapValues(document.paths, (item) => mapValues(item, movedOperation));
  return { ...document, paths, components };
}

function mapValues(object: Json, change: (value: Json) => Json): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}
