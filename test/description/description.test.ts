/** openapi.json as a document: valid, complete, small. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { COMMON_HEADERS } from '../../src/plugins/openapi/headers.ts';
import { COMMON_CODES } from '../../src/plugins/openapi/route-problems.ts';
import {
  description,
  formatErrors,
  getCodes,
  operations,
  validatorAt,
} from '../support/description/description.ts';
import { type Json, pointerTo, resolved, walk } from '../support/description/json-reference.ts';
import { useSharedService } from '../support/service.ts';

const file = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
/** Per operation, so that a description that repeats itself is noticed however many operations there are. */
const MAX_FILE_BYTES = 4_550;
const MAX_SERVED_BYTES = 2_900;

const references: { readonly from: string; readonly to: string }[] = [];
walk(description, (node, from) => {
  if (typeof node.$ref === 'string') references.push({ from, to: node.$ref });
});

const service = useSharedService('sqlite');

test('GET /openapi.json serves the checked-in description, member for member', async () => {
  const { status, text, headers } = await service.api.get('/openapi.json');
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(text, JSON.stringify(description), 'run `npm run openapi` to update openapi.json');
});

describe('openapi.json', () => {
  test(`openapi.json has at most ${MAX_FILE_BYTES} bytes per operation, and ${MAX_SERVED_BYTES} as served`, () => {
    const stored = Buffer.byteLength(file) / operations.length;
    assert.ok(stored <= MAX_FILE_BYTES, `${stored}`);
    const served = Buffer.byteLength(JSON.stringify(description)) / operations.length;
    assert.ok(served <= MAX_SERVED_BYTES, `${served}`);
  });

  test('openapi.json names the codes and headers that all operations have once, also in its introduction', () => {
    const responses = Object.values<Json>(description['x-common-responses']);
    const codes = responses.flatMap((each) =>
      getCodes({ description: each.description ?? resolved(description, each).description }),
    );
    assert.deepEqual(codes.sort(), [...COMMON_CODES].sort());
    const headers = Object.keys(description['x-common-headers']);
    assert.deepEqual(headers, COMMON_HEADERS);
    for (const name of [...codes, ...headers])
      assert.ok(description.info.description.includes(`\`${name}\``), name);
  });

  test('patterns of openapi.json need no flag, which Python and others do not have', () => {
    const patterns = [...file.matchAll(/"pattern": ("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
      JSON.parse(text!),
    );
    assert.ok(patterns.length > 5);
    for (const pattern of patterns) assert.doesNotMatch(pattern, /\\[pPu]/);
  });

  test('openapi.json has no component that nothing refers to', () => {
    const used = new Set(references.map(({ to }) => to));
    const { securitySchemes, ...groups } = description.components;
    for (const [kind, members] of Object.entries<Json>(groups)) {
      for (const name of Object.keys(members)) {
        assert.ok(used.has(pointerTo('#/components', kind, name)), `${kind} ${name}`);
      }
    }
    const requirements = operations.flatMap(({ operation }) => operation.security.flatMap(Object.keys));
    assert.deepEqual(new Set(Object.keys(securitySchemes)), new Set(requirements));
  });

  test('openapi.json has no two schemas with the same content', () => {
    const names = new Map<string, string>();
    for (const [name, schema] of Object.entries<Json>(description.components.schemas)) {
      const text = JSON.stringify(schema);
      assert.equal(names.get(text), undefined, `${name} is ${names.get(text)}: give them the same title`);
      names.set(text, name);
    }
  });

  test('openapi.json has schemas that are valid JSON Schema', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    let schemas = 0;
    walk(description, (node, pointer) => {
      if (typeof node.schema !== 'object') return;
      schemas++;
      assert.ok(ajv.validateSchema(node.schema), `${pointer}: ${ajv.errorsText(ajv.errors)}`);
    });
    assert.ok(schemas > 0);
    for (const [name, schema] of Object.entries<Json>(description.components.schemas)) {
      assert.ok(ajv.validateSchema(schema), `${name}: ${ajv.errorsText(ajv.errors)}`);
    }
  });

  test('openapi.json has examples that are valid against their schemas', () => {
    let examples = 0;
    walk(description, (node, pointer) => {
      if (node.schema === undefined) return;
      const named = Object.values<Json>(node.examples ?? {}).map((each) => resolved(description, each).value);
      const own = 'example' in node ? [node.example] : [];
      for (const example of [...named, ...own, ...(node.schema.examples ?? [])]) {
        examples++;
        const validate = validatorAt(pointerTo(pointer, 'schema'));
        assert.ok(validate(example), `${pointer}: ${formatErrors(validate)}`);
      }
    });
    assert.ok(examples >= operations.length);
  });
});
