/** The parameters and the body of an operation as fields, and the HTTP request with their values. */
import { basePath } from '../common/api.ts';
import { formatValue, type Json, type Operation } from './description.ts';
import { formatType, getChoices } from './schema.ts';

export interface Field {
  /** Name of its control. */
  readonly key: string;
  readonly name: string;
  readonly place: 'path' | 'query' | 'header' | 'body';
  readonly isRequired: boolean;
  /** Shown while the field is empty. */
  readonly hint: string;
  readonly sample: string;
  /** The allowed values, if there are only these. */
  readonly choices: readonly string[] | null;
  /** Media type of the body. */
  readonly type?: string;
}

export interface HttpRequest {
  readonly method: string;
  /** Always of this origin. */
  readonly url: string;
  readonly headers: readonly [name: string, value: string][];
  /** null: none. */
  readonly body: string | null;
}

export function getFields({ details: { parameters = [], requestBody } }: Operation): Field[] {
  const [type, media] = Object.entries<Json>(requestBody?.content ?? {})[0] ?? [];
  const fields: Field[] = parameters.map(toField);
  if (type === undefined) return fields;
  const sample = /json$/.test(type)
    ? formatValue(media.example)
    : new URLSearchParams(media.example).toString();
  const isRequired = requestBody.required;
  const shared = { hint: '', choices: null };
  return [
    ...fields,
    { key: 'body', name: 'Request body', place: 'body', isRequired, sample, type, ...shared },
  ];
}

function toField({ name, in: place, required = false, schema }: Json): Field {
  const choices = schema.type === 'boolean' ? [true, false] : getChoices(schema);
  const sample = schema.examples?.[0] ?? schema.default ?? choices?.[0] ?? `<${name}>`;
  return {
    key: `${place}-${name}`,
    name,
    place,
    isRequired: required,
    hint: schema.examples ? `such as ${sample}` : formatType(schema),
    sample: String(sample),
    choices: choices?.map(String) ?? null,
  };
}

/** Returns the value of a field in samples. */
export function getSampleValue({ place, isRequired, sample }: Field): string {
  return isRequired || place === 'body' ? sample : '';
}

/** Returns the request with the values of the fields, without those that are empty. */
export function toRequest(
  { method, path }: Operation,
  fields: readonly Field[],
  getValue: (field: Field) => string,
): HttpRequest {
  const filled = fields
    .map((field) => ({ ...field, value: getValue(field) }))
    .filter(({ value }) => value.trim() !== '');
  const findAt = (wanted: Field['place']) => filled.filter(({ place }) => place === wanted);
  const segments = new Map(findAt('path').map(({ name, value }) => [name, encode(value)]));
  const query = findAt('query').map(({ name, value }) => `${encode(name)}=${encode(value)}`);
  const target = path.replaceAll(/\{([^}]*)\}/g, (_, name) => segments.get(name)!);
  const [body] = findAt('body');
  return {
    method,
    // As the browser sends it, so that the samples have the same.
    url: new URL(basePath + target + (query.length > 0 ? `?${query.join('&')}` : ''), location.origin).href,
    headers: [
      ...findAt('header').map(({ name, value }): [string, string] => [name, value]),
      ...(body === undefined ? [] : [['Content-Type', body.type!] satisfies [string, string]]),
    ],
    body: body?.value ?? null,
  };
}

/** Half of a surrogate pair cannot be encoded: it becomes U+FFFD, as in a form. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Returns what is wrong with a value; null if it can be sent. */
export function checkField({ name, place, isRequired, type }: Field, value: string): string | null {
  if (value.trim() === '') return isRequired ? `Enter ${place === 'body' ? 'a body' : name}.` : null;
  // URLs have their own meaning of these segments: the request would reach another operation.
  if (place === 'path' && /^\.\.?$/.test(value)) return 'A part of the path cannot be “.” or “..”.';
  if (place === 'header' && !isHeaderValue(name, value)) return 'A header cannot have these characters.';
  return place === 'body' && /json$/.test(type!) ? checkJson(value) : null;
}

function isHeaderValue(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name);
  } catch {
    return false;
  }
}

function checkJson(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return `This is not JSON: ${(error as SyntaxError).message}.`;
  }
}
