/** The description of the API (OpenAPI 3.1) as the page shows it. Its schemas have no cycles. */
/** A value of the description, such as a schema. */
// biome-ignore lint/suspicious/noExplicitAny: its type depends on its place
export type Json = any;

export const ACCESS_TEXTS = {
  public: 'Anyone',
  optional: 'Anyone; a credential is checked if sent',
  user: 'A signed-in user',
  admin: 'The administrator',
};
export type Access = keyof typeof ACCESS_TEXTS;

export interface OperationResponse {
  readonly status: string;
  readonly isError: boolean;
  readonly description: string;
  readonly headers: Json;
  /** By media type. */
  readonly content?: Json;
}

export interface Operation {
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly access: Access;
  /** The operation object. */
  readonly details: Json;
  readonly responses: readonly OperationResponse[];
  /** Those that most operations share. */
  readonly commonResponses: readonly OperationResponse[];
}

/** The operations of a tag. */
export interface Group {
  /** Of its heading. */
  readonly id: string;
  readonly tag: string;
  readonly about: string;
  readonly operations: readonly Operation[];
}

export interface Description {
  readonly title: string;
  readonly version: string;
  readonly about: string;
  readonly groups: readonly Group[];
}

/**
 * Replaces references to components. Members beside a reference take precedence (OpenAPI 3.1, 4.8.23); the target of
 * references without any is one object. A component of a schema has its name as its title.
 */
export function resolveReferences(document: Json): Json {
  const components = new Map<string, Json>();
  const find = (reference: string) => {
    const [kind, name] = reference.split('/').slice(-2) as [string, string];
    const title = kind === 'schemas' ? { title: name } : {};
    const found = components.get(reference) ?? { ...resolve(document.components[kind][name]), ...title };
    components.set(reference, found);
    return found;
  };
  const resolve = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...members } = value;
    const resolved = Object.fromEntries(Object.entries(members).map(([key, each]) => [key, resolve(each)]));
    if (typeof $ref !== 'string' || !$ref.startsWith('#/components/')) return mergeParts(resolved);
    return Object.keys(members).length === 0 ? find($ref) : { ...find($ref), ...resolved };
  };
  return resolve({ ...document, components: undefined });
}

/** Merges the parts of `allOf`: objects, which have members. */
function mergeParts(schema: Json): Json {
  if (!Array.isArray(schema.allOf)) return schema;
  const { allOf, ...own } = schema;
  const parts: Json[] = [...allOf, own];
  return {
    ...Object.assign({}, ...parts),
    title: undefined,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

/** @param webhooks are requests that the service sends: other documents describe them */
export function toDescription({ webhooks, ...rest }: Json): Description {
  const document = resolveReferences(rest);
  const { info, tags } = document;
  const operations = getOperations(document);
  return {
    title: info.title,
    version: info.version,
    about: info.description,
    groups: tags.map(({ name, description }: Json, index: number) => ({
      id: `tag-${index}`,
      tag: name,
      about: description,
      operations: operations.filter(({ details }) => details.tags[0] === name),
    })),
  };
}

function getOperations(document: Json): Operation[] {
  const all = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, details]) => ({ path, method, details })),
  );
  const uses = Map.groupBy(
    all.flatMap(({ details }) => Object.values<Json>(details.responses)),
    (response) => response,
  );
  const isCommon = (response: Json) => uses.get(response)!.length > all.length / 2;
  const toResponses = (entries: readonly [string, Json][]) =>
    entries
      .map(([status, response]) => toResponse(status, response, document['x-common-headers']))
      .sort((one, other) => Number(one.status) - Number(other.status));
  const shared = Object.entries<Json>(document['x-common-responses']);
  return all.map(({ path, method, details }) => {
    const own = Object.entries<Json>(details.responses);
    return {
      id: details.operationId,
      name: details.summary,
      method: method.toUpperCase(),
      path,
      access: details['x-access'],
      details,
      responses: toResponses(own.filter(([, each]) => !isCommon(each))),
      commonResponses: toResponses([...own.filter(([, each]) => isCommon(each)), ...shared]),
    };
  });
}

function toResponse(status: string, response: Json, commonHeaders: Json): OperationResponse {
  const headers = { ...commonHeaders, ...response.headers };
  return { ...response, status, isError: /^[45]/.test(status), headers };
}

/** Returns the examples of a response by name: of an error, those of the codes that its description lists. */
export function getExamples({ isError, content = {}, description }: OperationResponse) {
  const [media = {}] = Object.values<Json>(content);
  const examples = Object.entries<Json>(media.examples ?? {});
  const listed = examples.filter(([name]) => description.includes(`\`${name}\``));
  return isError && listed.length > 0 ? listed : examples;
}

/** Returns a text as it is, and other values as JSON. */
export function formatValue(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
