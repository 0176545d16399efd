/** Input for an operation that is tried out: its parameters and its body. */
import type { Operation } from '../description/operations.ts';
import { parameterSample, requestExamples } from '../description/samples.ts';
import { getChoices, type Json, resolve, toShape, typeName } from '../description/schema.ts';

export interface Field {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header';
  readonly isRequired: boolean;
  /** Shown while the field is empty. */
  readonly hint: string;
  /** Replaces a missing value in the curl command. */
  readonly sample: string;
  /** The allowed values, if there are only these. */
  readonly choices: readonly string[] | null;
}

export interface Draft {
  /** Texts by key of their field. */
  readonly values: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Input fields of an operation. */
export interface Form {
  readonly fields: readonly Field[];
  /** Media type of the body; null without one. */
  readonly bodyType: string | null;
  readonly isBodyRequired: boolean;
  readonly initial: Draft;
}

/** Parameters that OpenAPI ignores (4.8.12.2.1): they are described elsewhere. */
const IGNORED = /^(?:accept|authorization|content-type)$/i;

export const toKey = ({ name, place }: Field) => `${place}-${name}`;

export function toForm(api: Json, operation: Operation): Form {
  const parameters: Json[] = operation.details.parameters;
  const fields = parameters
    .filter(({ in: place, name }) => place === 'path' || place === 'query' || isSentHeader(place, name))
    .map((parameter) => toField(api, parameter));
  const [example] = requestExamples(api, operation);
  // An only choice that is required leaves nothing to choose.
  const chosen = fields.filter(({ isRequired, choices }) => isRequired && choices?.length === 1);
  const values = Object.fromEntries(chosen.map((field) => [toKey(field), field.choices![0]!]));
  return {
    fields,
    bodyType: example?.type ?? null,
    isBodyRequired: resolve(api, operation.details.requestBody).required === true,
    initial: { values, body: example?.text ?? '' },
  };
}

function isSentHeader(place: string, name: string): boolean {
  return place === 'header' && !IGNORED.test(name);
}

function toField(api: Json, parameter: Json): Field {
  const { name, in: place, required, schema } = parameter;
  const shape = toShape(api, schema);
  const sample = parameterSample(api, parameter);
  const choices = shape.type === 'boolean' ? [true, false] : getChoices(shape);
  return {
    name,
    place,
    isRequired: required === true,
    hint: shape.examples || 'example' in parameter ? `such as ${sample}` : typeName(api, schema),
    sample,
    choices: choices?.map(String) ?? null,
  };
}
