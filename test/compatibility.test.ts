import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { breakingChanges } from './support/breaking-changes.ts';
import { description } from './support/description.ts';
import { changedExample, exampleDescription, GONE } from './support/description-example.ts';

/** The description at the last release: replaced when there is a new one, and not before. */
const released = JSON.parse(readFileSync(new URL('../openapi.released.json', import.meta.url), 'utf8'));

type Case = readonly [shows: string, where: string, value: unknown];

const newParameter = { name: 'sort', in: 'query', schema: { type: 'string', enum: ['name'] } };
const requiredParameter = { ...newParameter, required: true };
const asCsv = { 'text/csv': { schema: { type: 'string' } } };

const breaking: readonly Case[] = [
  ['a path is gone', 'paths /things', GONE],
  ['an operation is gone', 'paths /things.post', GONE],
  ['a success is gone', 'operation responses.202', GONE],
  ['a header of an answer is gone', 'operation responses.200.headers.ETag', GONE],
  ['an answer changes its media type', 'operation responses.200.content', asCsv],
  ['an answer has no body any more', 'operation responses.200.content', GONE],
  ['a member of an answer is gone', 'shown properties.count', GONE],
  ['a member of an answer may be missing', 'shown required', ['id']],
  ['a member of an answer changes its type', 'shown properties.count.type', 'string'],
  ['a member of an answer may be null', 'shown properties.count.type', ['integer', 'null']],
  ['a member of an answer is any number', 'shown properties.count.type', 'number'],
  ['a member of an answer has no type any more', 'shown properties.count.type', GONE],
  ['a member of an answer changes its format', 'shown properties.id.format', 'uri'],
  ['a list in an answer holds another type', 'shown properties.tags.items.type', 'integer'],
  ['a list in an answer holds anything', 'shown properties.tags.items', GONE],
  ['a request changes its media type', 'operation requestBody.content', asCsv],
  ['the body is gone', 'operation requestBody', GONE],
  ['the body is required', 'operation requestBody.required', true],
  ['a member of the request is required', 'sent required.+', 'note'],
  ['a member that was not there is required', 'sent required.+', 'color'],
  ['unknown members are refused', 'sent additionalProperties', false],
  ['a member of the request has to be another type', 'sent properties.name.type', 'integer'],
  ['null is refused', 'sent properties.note.type', 'string'],
  ['a value is refused', 'sent properties.state.enum', ['open']],
  ['only certain values are accepted', 'sent properties.name.enum', ['a']],
  ['a least length', 'sent properties.note.minLength', 1],
  ['a larger least length', 'sent properties.name.minLength', 2],
  ['a greatest length', 'sent properties.note.maxLength', 10_000],
  ['a smaller greatest length', 'sent properties.name.maxLength', 254],
  ['a larger minimum', 'sent properties.count.minimum', 1],
  ['a smaller maximum', 'sent properties.count.maximum', 99],
  ['a pattern', 'sent properties.name.pattern', '^[a-z]+$'],
  ['a format', 'sent properties.name.format', 'email'],
  ['a bound on the items of a list', 'sent properties.tags.items.maxLength', 49],
  ['a bound on the length of a list', 'sent properties.tags.maxItems', 10],
  ['a parameter is gone', 'operation parameters.1', GONE],
  ['a parameter is required', 'operation parameters.1.required', true],
  ['a header is required', 'operation parameters.2.required', true],
  ['a new parameter is required', 'operation parameters.+', requiredParameter],
  ['a parameter has a bound', 'operation parameters.1.schema.maximum', 100],
  ['a credential is needed', 'operation security', [{ userToken: [] }]],
  ['another credential is needed', 'operation security', [{}, { adminToken: [] }]],
];

const harmless: readonly Case[] = [
  ['a new path', 'paths /others', { get: { responses: {} } }],
  ['a new operation', 'paths /things.get', { responses: {} }],
  ['a new success', 'operation responses.204', {}],
  ['a new header of an answer', 'operation responses.200.headers.Link', {}],
  ['one more media type for an answer', 'operation responses.200.content.text/csv', {}],
  ['a new member of an answer', 'shown properties.color', { type: 'string' }],
  ['a member of an answer is always there', 'shown required.+', 'count'],
  ['a member of an answer is never null', 'shown properties.name.type', 'string'],
  ['a new value in an answer', 'shown properties.state.enum.+', 'lost'],
  ['a value less in an answer', 'shown properties.state.enum', ['open']],
  ['any value in an answer', 'shown properties.state.enum', GONE],
  ['another order', 'shown required', ['name', 'id']],
  ['a new refusal', 'operation responses.409', {}],
  ['a refusal less', 'operation responses.404', GONE],
  ['a code less', 'operation responses.404.content.application/json.examples.not_found', GONE],
  ['a new member of the request', 'sent properties.color', { type: 'string', minLength: 3 }],
  ['a member of the request is not needed', 'sent required', []],
  ['a member of the request is not looked at any more', 'sent properties.note', GONE],
  ['null is accepted', 'sent properties.name.type', ['string', 'null']],
  ['every number is accepted', 'sent properties.count.type', 'number'],
  ['every type is accepted', 'sent properties.count.type', GONE],
  ['a new value is accepted', 'sent properties.state.enum.+', 'lost'],
  ['every value is accepted', 'sent properties.state.enum', GONE],
  ['wider bounds', 'sent properties.name', { type: 'string', minLength: 0, maxLength: 256 }],
  ['no bounds', 'sent properties.count', { type: 'integer' }],
  ['a list of anything is accepted', 'sent properties.tags.items', GONE],
  ['a new parameter', 'operation parameters.+', newParameter],
  ['a header in other letters', 'operation parameters.2.name', 'if-match'],
  ['a further credential is accepted', 'operation security.+', { adminToken: [] }],
  ['no credential is looked at', 'operation security', []],
  ['other words', 'sent properties.name.description', 'Other words.'],
  ['other examples', 'operation requestBody.content.application/json.example', { name: 'Other' }],
];

describe('what breaks a client', () => {
  for (const [shows, where, value] of breaking) {
    test(`${shows}: one change, with its place`, () => {
      const [change, ...more] = breakingChanges(exampleDescription(), changedExample(where, value));
      assert.match(change ?? '', /^POST \/things\b/);
      assert.deepEqual(more, []);
    });
  }
});

test('credentials that are looked at where they were not break a client that sends a wrong one', () => {
  const open = changedExample('operation x-access', 'public');
  assert.equal(breakingChanges(open, exampleDescription()).length, 1);
  assert.deepEqual(breakingChanges(exampleDescription(), open), []);
});

describe('what no client minds', () => {
  for (const [shows, where, value] of harmless) {
    test(shows, () => {
      assert.deepEqual(breakingChanges(exampleDescription(), changedExample(where, value)), []);
    });
  }

  test('a schema that moves behind a reference, or out of it', () => {
    const referring = exampleDescription();
    const answer = referring.paths['/things'].post.responses[200].content['application/json'];
    const inPlace = changedExample('operation responses.200.content.application/json.schema', {
      ...referring.components.schemas.Thing,
    });
    assert.deepEqual(answer.schema, { $ref: '#/components/schemas/Thing' });
    assert.deepEqual(breakingChanges(referring, inPlace), []);
    assert.deepEqual(breakingChanges(inPlace, referring), []);
  });
});

test('the changelog knows the release that the description is held against', () => {
  const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  assert.match(changelog, new RegExp(`^## ${version.replaceAll('.', '\\.')} - \\d{4}-\\d\\d-\\d\\d$`, 'm'));
});

test('the description has no breaking change since the last release', () => {
  assert.notEqual(Object.keys(released.paths).length, 0);
  assert.deepEqual(breakingChanges(released, description), []);
});
