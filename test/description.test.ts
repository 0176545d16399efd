import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { description, operations } from './support/description.ts';
import { startService } from './support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is walked by hand
type Json = any;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(description, 'openapi');

const escaped = (token: string) => token.replaceAll('~', '~0').replaceAll('/', '~1');

/** Calls `visit` with every object of the document and its JSON pointer. */
function walk(node: Json, pointer: string, visit: (node: Json, pointer: string) => void): void {
  if (typeof node !== 'object' || node === null) return;
  visit(node, pointer);
  for (const [name, child] of Object.entries(node)) walk(child, `${pointer}/${escaped(name)}`, visit);
}

function resolve(reference: string): unknown {
  assert.match(reference, /^#\//, 'references stay inside the document');
  const tokens = reference.slice(2).split('/');
  return tokens.reduce(
    (node, token) => node?.[token.replaceAll('~1', '/').replaceAll('~0', '~')],
    description,
  );
}

test('the checked-in description is what the service says of itself, to the letter', async (context) => {
  const { api, stop } = await startService('sqlite');
  context.after(stop);
  const { status, text, headers } = await api.get('/openapi.json');
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  const file = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8');
  assert.equal(
    `${JSON.stringify(JSON.parse(text), null, 2)}\n`,
    file,
    'npm run openapi brings it up to date',
  );
});

describe('the description', () => {
  test('is OpenAPI 3.1 with its required members', () => {
    const { openapi, info, servers, paths, components, tags } = description;
    assert.match(openapi, /^3\.1\.\d+$/);
    for (const member of ['title', 'version', 'description']) assert.ok(info[member]?.length > 0, member);
    assert.ok(info.license.name);
    assert.ok(servers.length > 0 && servers.every(({ url }: Json) => typeof url === 'string'));
    assert.ok(Object.keys(paths).every((path) => path.startsWith('/') && !path.endsWith('/')));
    for (const group of Object.values<Json>(components)) {
      for (const name of Object.keys(group)) assert.match(name, /^[a-zA-Z0-9._-]+$/);
    }
    const names = tags.map(({ name }: Json) => name);
    assert.deepEqual(names, [...new Set(names)]);
    for (const { title, operation } of operations)
      assert.ok(
        operation.tags.every((tag: string) => names.includes(tag)),
        title,
      );
  });

  test('has no reference that leads nowhere', () => {
    let references = 0;
    walk(description, '#', (node, pointer) => {
      if (typeof node.$ref !== 'string') return;
      references++;
      assert.notEqual(resolve(node.$ref), undefined, `${pointer} → ${node.$ref}`);
    });
    assert.ok(references > 0);
  });

  test('has schemas that are valid JSON Schema', () => {
    let schemas = 0;
    walk(description, '#', (node, pointer) => {
      if (typeof node.schema !== 'object') return;
      schemas++;
      assert.ok(ajv.validateSchema(node.schema), `${pointer}: ${ajv.errorsText(ajv.errors)}`);
    });
    assert.ok(schemas > 0);
    for (const [name, schema] of Object.entries<Json>(description.components.schemas)) {
      assert.ok(ajv.validateSchema(schema), `${name}: ${ajv.errorsText(ajv.errors)}`);
    }
  });

  test('has examples that are valid against their schemas', () => {
    let examples = 0;
    walk(description, '#', (node, pointer) => {
      if (node.schema === undefined) return;
      const named = Object.values<Json>(node.examples ?? {}).map((example) => example.value);
      for (const example of [...named, ...('example' in node ? [node.example] : [])]) {
        examples++;
        const validate = ajv.compile({ $ref: `openapi${encodeURI(`${pointer}/schema`)}` });
        assert.ok(validate(example), `${pointer}: ${ajv.errorsText(validate.errors)}`);
      }
    });
    assert.ok(examples >= operations.length);
  });

  test('has an id of its own for every operation, fit to be a function', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    assert.deepEqual(ids, [...new Set(ids)]);
    for (const id of ids) assert.match(id, /^[a-z][A-Za-z]+$/);
  });
});
