/** A small OpenAPI description with one part of every kind, for tests that change one of them. */
import type { Json } from './json-reference.ts';

const thing = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    name: { type: ['string', 'null'] },
    state: { type: 'string', enum: ['open', 'closed'] },
    count: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
  },
};

const body = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 255 },
    note: { type: ['string', 'null'] },
    state: { type: 'string', enum: ['open', 'closed'] },
    count: { type: 'integer', minimum: 0, maximum: 100 },
    tags: { type: 'array', items: { type: 'string', maxLength: 50 } },
  },
};

const operation = {
  'x-access': 'optional',
  security: [{}, { userToken: [] }],
  parameters: [
    { name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 255 } },
    { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 0 } },
    { name: 'If-Match', in: 'header', required: false, schema: { type: 'string' } },
  ],
  requestBody: { required: false, content: { 'application/json': { schema: body } } },
  responses: {
    200: {
      headers: { ETag: { schema: { type: 'string' } } },
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
    },
    202: { description: 'Later.' },
    404: { content: { 'application/json': { examples: { not_found: {}, thing_not_found: {} } } } },
  },
};

export function exampleDescription(): Json {
  const document = { paths: { '/things': { post: operation } }, components: { schemas: { Thing: thing } } };
  return structuredClone(document);
}

/** Short names of places in the document. */
const PLACES: Readonly<Record<string, string>> = {
  operation: 'paths./things.post',
  sent: 'paths./things.post.requestBody.content.application/json.schema',
  shown: 'components.schemas.Thing',
};

/** As the value of a change: removes the part. */
export const GONE = Symbol('gone');

/** Returns the example with another value at `place path`, such as `sent properties.name.maxLength`; `+` adds an item. */
export function changedExample(where: string, value: unknown): Json {
  const document = exampleDescription();
  const [place = '', path = ''] = where.split(' ');
  const steps = `${PLACES[place] ?? place}${path === '' ? '' : `.${path}`}`.split('.');
  const last = steps.pop()!;
  const parent = steps.reduce((at, step) => at[step], document);
  if (last === '+') parent.push(value);
  else if (value !== GONE) parent[last] = value;
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  return document;
}
