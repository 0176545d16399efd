/** The checked-in openapi.json as a judge of answers. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface HandlerResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

// biome-ignore lint/suspicious/noExplicitAny: the document is walked by hand
export const description: any = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(description, 'openapi');
const validators = new Map<string, ValidateFunction>();

/**
 * Fails unless the status is one that the operation names, and the body fits its schema.
 * What no operation is described for (unknown paths, other methods, documents) is not judged.
 */
export function assertDescribed(method: string, path: string, answer: HandlerResponse): void {
  const template = templateOf(path);
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operation: Operation | undefined = template && description.paths[template][verb];
  if (template === undefined || operation === undefined) return;
  const where = `${method} ${template} → ${answer.status}`;
  const response = operation.responses[answer.status];
  assert.ok(response, `${where} is not described; body: ${answer.text}`);
  if (response.content === undefined || method === 'HEAD') {
    assert.equal(answer.text, '', `${where} is described without a body`);
    return;
  }
  const mediaType = (answer.headers.get('content-type') ?? '').split(';')[0] as string;
  assert.ok(mediaType in response.content, `${where} comes as ${mediaType}, which is not described`);
  const pointer = [
    'paths',
    template,
    verb,
    'responses',
    String(answer.status),
    'content',
    mediaType,
    'schema',
  ];
  const validate = validatorOf(`openapi#/${pointer.map(escaped).join('/')}`);
  assert.ok(validate(answer.body), `${where}: ${ajv.errorsText(validate.errors)}; body: ${answer.text}`);
}

function validatorOf(reference: string): ValidateFunction {
  const known = validators.get(reference) ?? ajv.compile({ $ref: reference });
  validators.set(reference, known);
  return known;
}

function escaped(token: string): string {
  return encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'));
}

const templates = Object.keys(description.paths).map((template) => ({
  template,
  pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
}));

function templateOf(path: string): string | undefined {
  const plain = path
    .replace(/\?.*$/s, '')
    .replace(/\/{2,}/g, '/')
    .replace(/(.)\/$/, '$1');
  return templates.find(({ pattern }) => pattern.test(plain))?.template;
}

export interface DescribedOperation {
  /** Method and path. */
  readonly title: string;
  readonly method: string;
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: the document is walked by hand
  readonly operation: any;
}

/** Every operation of the document. */
export const operations: readonly DescribedOperation[] = Object.entries<object>(description.paths).flatMap(
  ([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      title: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
);
