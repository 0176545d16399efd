/** Descriptions of responses, beside the schema by which they are serialised. */
import { type JsonSchema, recordSchema, text } from '../../lib/schema/json-schema.ts';

export interface ResponseDescription {
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
    ...toKeywords(described),
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

function toKeywords({ examples, alternatives }: ResponseDescription): object {
  return {
    ...(examples === undefined ? {} : { 'x-examples': toExamples(examples) }),
    ...(alternatives === undefined ? {} : { 'x-alternatives': alternatives }),
  };
}

function toExamples(examples: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
}

function toHeaders(descriptions: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [name, { type: 'string', description }]),
  );
}
