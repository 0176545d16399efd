/** Descriptions of responses, beside the schema by which they are serialised, and schemas of lists in pages. */
import { type JsonSchema, nullableText, recordSchema, text } from '../../lib/schema/json-schema.ts';
import { cursorParameter, limitParameter } from '../../lib/schema/query-parameters.ts';

interface ResponseDescription {
  readonly description: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Schemas for callers with different access, if the description can be more precise than the schema. */
  readonly alternatives?: readonly JsonSchema[];
  readonly examples?: Readonly<Record<string, unknown>>;
}

/** Returns the schema with its description, as @fastify/swagger reads it; a text with examples if that is all. */
export function describeResponse<const S extends JsonSchema>(
  schema: S,
  description: ResponseDescription | string,
  examples?: NonNullable<ResponseDescription['examples']>,
) {
  const named = examples === undefined ? {} : { examples };
  const described = typeof description === 'string' ? { description, ...named } : description;
  return {
    ...schema,
    ...describeEmpty(described),
    type: schema.type as S['type'],
    ...(described.examples === undefined ? {} : { 'x-examples': toExamples(described.examples) }),
    ...(described.alternatives === undefined ? {} : { 'x-alternatives': described.alternatives }),
  };
}

/** Describes a response that has only a message: one of these, by name. */
export function describeMessage(description: string, messages: Readonly<Record<string, string>>) {
  const examples = Object.entries(messages).map(([name, message]) => [name, { message }]);
  return describeResponse(recordSchema({ message: text }), description, Object.fromEntries(examples));
}

export function describeEmpty({ description, headers = {} }: ResponseDescription) {
  return { type: 'null', description, headers: toHeaders(headers) } as const;
}

/** Returns the description of a response in another media type than JSON. */
export function describeContent(mediaType: string, schema: JsonSchema, described: ResponseDescription) {
  const { description, headers = {}, examples } = described;
  const media = { schema, ...(examples === undefined ? {} : { examples: toExamples(examples) }) };
  return { description, headers: toHeaders(headers), content: { [mediaType]: media } };
}

function toExamples(examples: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
}

function toHeaders(descriptions: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [name, { type: 'string', description }]),
  );
}

/** The header of each page, which `pagination` sets. */
export const PAGE_HEADERS = {
  Link: 'URLs of the next and the first page, if there is more than one (RFC 8288).',
};

export function pageSchema<const S extends JsonSchema>(items: S) {
  return {
    type: 'object',
    required: ['message', 'data', 'next_cursor'],
    properties: { message: text, data: { type: 'array', items }, next_cursor: nullableText },
  } as const;
}

export function pageQuery<const Filters extends Readonly<Record<string, JsonSchema>>>(filters: Filters) {
  const properties = { limit: limitParameter, cursor: cursorParameter, ...filters } as const;
  return { type: 'object', properties } as const;
}

/** Returns the schemas of the query and the response of an operation that lists records with these filters. */
export function defineList<
  const Filters extends Readonly<Record<string, JsonSchema>>,
  const Items extends JsonSchema,
>(filters: Filters, items: Items, described: Omit<ResponseDescription, 'headers'>) {
  return {
    querystring: pageQuery(filters),
    response: { 200: describeResponse(pageSchema(items), { ...described, headers: PAGE_HEADERS }) },
  } as const;
}
