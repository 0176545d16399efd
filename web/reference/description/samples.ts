/** Returns examples of values: those of the description, or generated ones. */
import type { Operation } from './operations.ts';
import { getAlternatives, getChoices, type Json, resolve, toShape } from './schema.ts';

const FORMAT_SAMPLES: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  date: '2026-01-31',
  'date-time': '2026-01-31T09:30:00.000Z',
  uuid: '0198a1c2-7b3d-7e4f-8a5b-6c7d8e9f0a1b',
  uri: 'https://example.com/',
};

/** Returns a valid value: an example of the schema, or one generated from its type. */
function createSample(api: Json, schema: Json, within: readonly string[] = []): Json {
  if (within.includes(schema?.$ref) || within.length > 6) return undefined;
  const inside = [...within, schema?.$ref ?? ''];
  const shape = toShape(api, schema);
  const shown = [shape.example, shape.examples?.[0], shape.default, getChoices(shape)?.[0]];
  const given = shown.find((value) => value !== undefined);
  if (given !== undefined) return given;
  const [alternative] = getAlternatives(shape);
  if (alternative) return createSample(api, alternative, inside) ?? null;
  if (shape.properties) {
    const members = Object.entries(shape.properties).filter(([, member]) => !resolve(api, member).deprecated);
    const samples = members.map(([name, member]) => [name, createSample(api, member, inside)]);
    return Object.fromEntries(samples.filter(([, sample]) => sample !== undefined));
  }
  if (shape.items) return [createSample(api, shape.items, inside)].filter((sample) => sample !== undefined);
  return plainSample(shape);
}

function plainSample(shape: Json): Json {
  const type = [shape.type].flat()[0];
  if (type === 'string') return FORMAT_SAMPLES[shape.format] ?? 'text';
  if (type === 'integer' || type === 'number') return shape.minimum ?? 1;
  if (type === 'boolean') return true;
  return type === 'object' ? {} : null;
}

/** Returns the examples of a media type by name; '' for one without a name. */
export function getExamples(api: Json, media: Json): [name: string, example: Json][] {
  if (Object.hasOwn(media, 'example')) return [['', { value: media.example }]];
  const named = Object.entries(media.examples ?? {});
  if (named.length > 0) return named.map(([name, example]) => [name, resolve(api, example)]);
  return media.schema ? [['', { value: createSample(api, media.schema) }]] : [];
}

/** Returns the examples of a response by name: of an error, those of the codes that its description lists. */
export function getResponseExamples(api: Json, status: string, { content, description = '' }: Json) {
  const examples = getExamples(api, Object.values<Json>(content ?? {})[0] ?? {});
  const listed = examples.filter(([name]) => description.includes(`\`${name}\``));
  return isErrorStatus(status) && listed.length > 0 ? listed : examples;
}

export const isErrorStatus = (status: string) => !/^[123]/.test(status);

export interface RequestExample {
  /** Media type. */
  readonly type: string;
  readonly label: string;
  readonly text: string;
}

export function requestExamples(api: Json, { details }: Operation): RequestExample[] {
  const [type, media] = Object.entries(resolve(api, details.requestBody).content ?? {})[0] ?? [];
  if (!type) return [];
  return getExamples(api, media).map(([name, example]) => ({
    type,
    label: name ? `Request body: ${name}` : 'Request body',
    text: formatted(example.value),
  }));
}

export function formatted(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** Returns an example of a parameter as it is written in a request. */
export function parameterSample(api: Json, parameter: Json): string {
  const [first] = getExamples(api, parameter);
  const value = first?.[1].value ?? `<${parameter.name}>`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
