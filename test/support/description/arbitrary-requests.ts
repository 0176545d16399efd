/** Arbitrary requests for every operation of the description: valid, malformed and hostile ones. */
import fc from 'fast-check';
import { anyText } from '../arbitrary-text.ts';
import { operations as described } from './description.ts';

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly hasId: boolean;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly parameters: readonly string[];
  /** Required members of the body; when they are valid, a password is hashed. */
  readonly required: readonly string[];
}

/** All operations of the description. */
export const operations: Operation[] = described.map(({ method, path, operation }) => {
  const content = operation.requestBody?.content['application/json'];
  return {
    method,
    path,
    hasId: path.includes('{'),
    body: content?.example,
    required: content?.schema.required ?? [],
    parameters: (operation.parameters ?? []).filter((one: { in: string }) => one.in === 'query').map(getName),
  };
});

function getName({ name }: { name: string }): string {
  return name;
}

const hostile = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff x',
  '\uFEFF',
  '😀'.repeat(300),
  "'; drop table users; --",
  '$1',
  '%s%n',
  '../../etc/passwd',
  '<script>',
  '__proto__',
  'constructor',
  'a@b.c',
  'ada@example.com\r\nX: y',
  '1e999',
  'NaN',
  'null',
  'a'.repeat(5000),
);
const number = fc.constantFrom(0, -0, -1, 1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324);
/** A member with this value is not sent. */
const OMITTED = 0;
// Once for all operations: fast-check prepares each of them for milliseconds.
const text = anyText();
const json = fc.jsonValue();
const bytes = fc.uint8Array().map((array) => new Uint8Array(array));
const value = fc.oneof(hostile, text, number, json, fc.emailAddress());
const dictionary = fc.dictionary(text, value);

/** The example of the description with one member changed or removed, and with unknown members. */
function mutated({ body = {}, required }: Operation) {
  const names = Object.keys(body);
  if (names.length === 0) return dictionary;
  // Hashing costs more than everything else: most bodies lack what would cause it.
  const changeable = required.length > 0 ? required : names;
  return fc.tuple(fc.constantFrom(...changeable), value, dictionary).map(([name, changed, more]) => ({
    ...more,
    ...body,
    [name]: changed === OMITTED ? undefined : changed,
  }));
}

export const jsonText = (operation: Operation) =>
  fc.oneof(
    { weight: 3, arbitrary: mutated(operation).map((body) => JSON.stringify(body)) },
    { weight: 2, arbitrary: json.map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: text },
    { weight: 1, arbitrary: bytes },
  );

const printable = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
});

export function headersFor(tokens: readonly string[]) {
  const bearer = fc.constantFrom(...tokens, 'x').map((token) => `Bearer ${token}`);
  return fc.record(
    {
      authorization: fc.oneof({ weight: 4, arbitrary: bearer }, { weight: 1, arbitrary: printable }),
      accept: fc.oneof(
        fc.constantFrom('*/*', 'application/json', 'application/problem+json', 'text/html'),
        printable,
      ),
      'content-type': fc.oneof({ weight: 5, arbitrary: fc.constant('application/json') }, printable),
      'if-match': fc.oneof(fc.constantFrom('*', '"1"', 'W/"1"'), printable),
      'idempotency-key': fc.oneof(fc.constantFrom('"a"', 'a', ''), printable),
      'x-request-id': printable,
      traceparent: printable,
      origin: printable,
    },
    { requiredKeys: [] },
  );
}

/** A path segment: ids, percent-encoded text, malformed and hostile segments. */
export const segment = (ids: readonly string[]) =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...ids) },
    fc.uuid(),
    anyText({ minLength: 1 }).map((text) => encodeURIComponent(text.toWellFormed())),
    fc.constantFrom(
      '%00',
      '%ff',
      '%',
      '%zz',
      '%2f',
      '%2e%2e',
      '%25',
      '..;',
      'a'.repeat(256),
      'a'.repeat(1000),
    ),
  );

export const queryFor = ({ parameters }: Operation) =>
  fc
    .array(
      fc.tuple(fc.constantFrom(...parameters, 'x', '__proto__'), fc.oneof(hostile, fc.nat().map(String))),
    )
    .map((pairs) =>
      pairs.map(([name, text]) => `${name}=${encodeURIComponent(text.toWellFormed())}`).join('&'),
    );
