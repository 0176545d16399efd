/** Names of the schemas of bodies: generated clients use them as names of types. */
import { isDeepStrictEqual as isDeeplyEqual } from 'node:util';
import { componentRef, type Json, mapValues } from './headers.ts';

/** Keywords whose values are no schemas. */
const VALUES: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);

type Define = (name: string, component: Json) => Json;

/**
 * Moves the schema of each body, and each schema in it that has a `title`, to `components.schemas`, and the parameters of
 * all lists and records to `components.parameters`. The name of a schema is its title; or what it has, as in `UserPage`,
 * `TokenList` and `WebhookResponse`; or the id of the operation with `Request` or `Response`.
 *
 * @throws Error if two schemas have the same name
 */
export function nameComponents(paths: Json, shared: Json): Record<'paths' | 'schemas' | 'parameters', Json> {
  const schemas = new Map<string, Json>();
  const parameters = new Map<string, Json>();
  const define: Define = (name, schema) => {
    if (!isDeeplyEqual(schemas.get(name) ?? schema, schema))
      throw new Error(`Two schemas have the name ${name}: give one of them another title`);
    schemas.set(name, schema);
    return { ...componentRef('schemas', name) };
  };
  // A list may describe its parameters differently.
  const share: Define = (name, parameter) => {
    if (!isDeeplyEqual(parameters.get(name) ?? parameter, parameter)) return parameter;
    parameters.set(name, parameter);
    return componentRef('parameters', name);
  };
  for (const [name, schema] of Object.entries(shared)) {
    const { $id: _, ...rest } = schema as Json;
    define(name, extractTitled(rest, define) as Json);
  }
  const named = mapValues(paths, (item, path) =>
    mapValues(item as Json, (operation) =>
      shareParameters(nameBodies(operation as Json, define), path, share),
    ),
  );
  return { paths: named, schemas: Object.fromEntries(schemas), parameters: Object.fromEntries(parameters) };
}

function shareParameters(operation: Json, path: string, share: Define): Json {
  const { parameters } = operation as { readonly parameters?: readonly Json[] };
  if (parameters === undefined) return operation;
  const shared = parameters.map((each) => (each.$ref ? each : share(getParameterName(each, path), each)));
  return { ...operation, parameters: shared };
}

/** Returns a name such as `Limit`, and `UserId` for the id in `/users/{id}`. */
function getParameterName({ name, required, in: place }: Json, path: string): string {
  const own = name === 'id' ? `${/(\w+?)s?\/\{id\}/.exec(path)![1]}_id` : String(name);
  const prefix = required && place !== 'path' ? 'Required' : '';
  return prefix + own.replace(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function nameBodies(operation: Json, define: Define): Json {
  const { requestBody, responses, operationId } = operation as Record<string, Json>;
  const base = String(operationId).replace(/^./, (letter) => letter.toUpperCase());
  const named = (owner: Json, name: string) =>
    owner.content === undefined
      ? owner
      : { ...owner, content: nameContent(owner.content as Json, name, define) };
  return {
    ...operation,
    ...(requestBody === undefined ? {} : { requestBody: named(requestBody, `${base}Request`) }),
    responses: mapValues(responses!, (response) => named(response as Json, `${base}Response`)),
  };
}

function nameContent(content: Json, name: string, define: Define): Json {
  return mapValues(content, (media) => {
    const schema = extractTitled((media as Json).schema, define) as Json;
    return { ...(media as Json), schema: nameSchema(schema, name, define) };
  });
}

function nameSchema(schema: Json, name: string, define: Define): Json {
  if (schema.anyOf !== undefined)
    return { anyOf: (schema.anyOf as Json[]).map((each) => nameSchema(each, name, define)) };
  return schema.properties === undefined ? schema : define(findDataName(schema) ?? name, schema);
}

/** Returns the schema with references in the place of the schemas in it that have titles. */
function extractTitled(node: unknown, define: Define): unknown {
  if (Array.isArray(node)) return node.map((each) => extractTitled(each, define));
  if (typeof node !== 'object' || node === null) return node;
  const extracted = mapValues(node, (value, key) => (VALUES.has(key) ? value : extractTitled(value, define)));
  const { title, 'x-extends': extension, ...rest } = extracted;
  const schema = extension === undefined ? rest : toAllOf(rest, extension as { base: string; members: Json });
  // In `properties`, `title` is the schema of a member.
  if (typeof title === 'string') return define(title, schema);
  return extension === undefined ? extracted : schema;
}

function toAllOf({ description }: Json, { base, members }: { base: string; members: Json }): Json {
  const allOf = [componentRef('schemas', base), members];
  return { ...(description === undefined ? {} : { description }), allOf };
}

interface Member {
  readonly $ref?: string;
  readonly items?: Member;
}

function findDataName({ properties, required = [] }: Json): string | undefined {
  const { message, data, next_cursor: cursor, ...others } = properties as Record<string, Member>;
  const isComplete = Object.keys(properties as object).every((name) => (required as string[]).includes(name));
  if (message === undefined || Object.keys(others).length > 0 || !isComplete) return undefined;
  if (data === undefined) return 'Message';
  const name = (data.items ?? data).$ref?.split('/').at(-1);
  if (name === undefined) return undefined;
  if (data.items === undefined) return `${name}Response`;
  return `${name}${cursor === undefined ? 'List' : 'Page'}`;
}
