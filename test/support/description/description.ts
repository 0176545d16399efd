/** The checked-in openapi.json, which every response of the test suite is validated against. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Json, pointerTo, resolved, valueAt } from './json-reference.ts';

interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

export const description: Json = JSON.parse(
  readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(description, 'openapi');
const validators = new Map<string, ValidateFunction>();

/** Returns the validator of the schema at a pointer into the description. */
export function validatorAt(pointer: string): ValidateFunction {
  const $ref = `openapi${encodeURI(pointer)}`;
  const validate = validators.get($ref) ?? ajv.compile({ $ref });
  validators.set($ref, validate);
  return validate;
}

export function formatErrors(validate: ValidateFunction): string {
  return ajv.errorsText(validate.errors);
}

/**
 * Fails unless the operation lists the status, the media type, the code of an error and the fields that clients
 * read from the header, and the body is valid against its schema. Requests that no operation describes (unknown
 * paths, other methods, documents) pass.
 */
export function assertDescribed(method: string, path: string, received: ReceivedResponse): void {
  const described = method === 'HEAD' ? 'GET' : method;
  const plain = plainPath(path);
  const found = byParameters.find((each) => each.method === described && each.pattern.test(plain));
  if (found === undefined) return;
  const where = `${found.title} → ${received.status}`;
  const response = found.operation.responses[received.status];
  assert.ok(response, `${where} is not described; body: ${received.text}`);
  const sent = DESCRIBED_HEADERS.filter((name) => received.headers.has(name));
  for (const name of sent) {
    assert.ok(name in response.headers, `${where} has the header ${name}, which is not described`);
  }
  if (response.content === undefined || method === 'HEAD') {
    assert.equal(received.text, '', `${where} is described without a body`);
    return;
  }
  assertBody(where, responsePointer(found, received.status), response.content, received);
  const { code } = (received.body ?? {}) as { code?: string };
  if (code !== undefined)
    assert.ok(getCodes(response).includes(code), `${where} has the code ${code}, which is not listed`);
}

/** Returns the codes of an error response of an operation. */
export function getCodes({ description: text }: Json): string[] {
  return [...text.matchAll(/`(\w+)`/g)].map(([, code]) => code);
}

/** Header fields that clients read: each must be described where it is sent. `Connection` is sent by Node as well. */
const DESCRIBED_HEADERS = [...Object.keys(description.components.headers), 'ETag', 'Location'].filter(
  (name) => name !== 'Connection',
);

function assertBody(
  where: string,
  pointer: string,
  content: Json,
  { headers, text, body }: ReceivedResponse,
) {
  const mediaType = (headers.get('content-type') ?? '').split(';')[0] as string;
  assert.ok(mediaType in content, `${where} has the media type ${mediaType}, which is not described`);
  const validate = validatorAt(pointerTo(pointer, 'content', mediaType, 'schema'));
  assert.ok(
    validate(/[/+]json$/.test(mediaType) ? body : text),
    `${where}: ${formatErrors(validate)}; body: ${text}`,
  );
}

/** Returns the place of a response in the document: in the operation, or among the components. */
function responsePointer({ pointer }: DescribedOperation, status: number): string {
  const own = pointerTo(pointer, 'responses', String(status));
  const response = valueAt(description, own) ?? COMMON.responses[status];
  return response.$ref ?? own;
}

function plainPath(path: string): string {
  return path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');
}

export interface DescribedOperation {
  /** Method and path. */
  readonly title: string;
  readonly method: string;
  readonly path: string;
  /** Matches the paths of requests. */
  readonly pattern: RegExp;
  /** Place in the document. */
  readonly pointer: string;
  /** The operation, with references followed, and with what all operations have. */
  readonly operation: Json;
}

/** What the description says of all operations at once. */
const COMMON = {
  responses: description['x-common-responses'] as Json,
  headers: description['x-common-headers'] as Json,
};

/** Every operation of the document. */
export const operations: readonly DescribedOperation[] = Object.entries<object>(description.paths).flatMap(
  ([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      title: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      pointer: pointerTo('#/paths', path, method),
      operation: withoutReferences(operation),
    })),
);

/** A path without parameters is matched before one with them. */
const byParameters = operations.toSorted(
  (one, other) => one.path.split('{').length - other.path.split('{').length,
);

function withoutReferences(operation: Json): Json {
  const parameters = operation.parameters?.map(follow);
  const statuses = Object.keys({ ...operation.responses, ...COMMON.responses });
  const responses = statuses.map((status) => [status, completeResponse(operation, status)]);
  return {
    ...operation,
    ...(parameters === undefined ? {} : { parameters }),
    responses: Object.fromEntries(responses),
  };
}

function follow(node: Json): Json {
  return resolved(description, node);
}

/** Returns a response with the headers that all have, and with the codes that all operations may have. */
function completeResponse({ responses }: Json, status: string): Json {
  const own = responses[status];
  const common = COMMON.responses[status];
  const response = follow(own ?? common);
  const { headers, content } = response;
  // One that is described in the operation is not an error of the catalogue.
  const references = own !== undefined && own.$ref === undefined ? [] : [own, common];
  const descriptions = references
    .filter((reference) => reference !== undefined)
    // Beside a reference it replaces that of the component (OpenAPI 3.1, 4.8.23).
    .map((reference) => reference.description ?? follow(reference).description);
  return {
    ...response,
    description: descriptions.join(', ') || response.description,
    headers: mapValues({ ...COMMON.headers, ...headers }, follow),
    ...(content === undefined ? {} : { content: mapValues(content, withExamples) }),
  };
}

function withExamples({ examples, ...media }: Json): Json {
  if (examples === undefined) return media;
  return { ...media, examples: mapValues(examples, (node) => resolved(description, node)) };
}

function mapValues(object: Json = {}, change: (value: Json) => Json): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}
