// @ts-check
/** The members of a schema and the constraints of their values. */
import { alternativesOf, choicesOf, isMap, shapeOf } from './schema.js';

/** @typedef {import('./schema.js').Json} Json */
/** @typedef {{ label: string, schema: any, required?: boolean, place?: string, deprecated?: boolean }} Row */

/** @returns {string[]} the constraints of a value, each as a short phrase */
export function limitsOf(/** @type {Json} */ api, /** @type {any} */ schema, depth = 0) {
  const shape = shapeOf(api, schema);
  const choices = choicesOf(shape);
  const inner =
    choices || depth > 3 ? [] : alternativesOf(shape).flatMap((each) => limitsOf(api, each, depth + 1));
  const items = shape.items && depth < 3 ? limitsOf(api, shape.items, depth + 1) : [];
  return [
    choices && choiceText(choices),
    range(shape.minLength, shape.maxLength, ' character'),
    range(shape.minItems, shape.maxItems, ' item'),
    range(shape.minProperties, shape.maxProperties, ' member'),
    range(shape.minimum, shape.maximum, ''),
    shape.exclusiveMinimum !== undefined && `more than ${shape.exclusiveMinimum}`,
    shape.exclusiveMaximum !== undefined && `less than ${shape.exclusiveMaximum}`,
    shape.pattern && `pattern ${shape.pattern}`,
    shape.uniqueItems && 'unique items',
    Object.hasOwn(shape, 'default') && `default ${JSON.stringify(shape.default)}`,
    shape.readOnly && 'read only',
    shape.writeOnly && 'write only',
    ...inner,
    ...items.map((limit) => `each: ${limit}`),
  ].filter((limit) => typeof limit === 'string');
}

const maxListedChoices = 12;

/** @returns {string} */
function choiceText(/** @type {any[]} */ choices) {
  if (choices.length > maxListedChoices) return `one of ${choices.length} values`;
  const list = choices.map((each) => JSON.stringify(each)).join(', ');
  return `${choices.length === 1 ? 'always' : 'one of'} ${list}`;
}

/** @returns {string | false} */
function range(/** @type {number | undefined} */ min, /** @type {number | undefined} */ max, unit = '') {
  if (min === undefined && max === undefined) return false;
  const units = unit && (max ?? min) !== 1 ? `${unit}s` : unit;
  if (min === max) return `exactly ${min}${units}`;
  if (max === undefined) return `at least ${min}${units}`;
  return min === undefined ? `at most ${max}${units}` : `${min} to ${max}${units}`;
}

/**
 * Yields every member of a schema, nested ones with their path (`fields[].label`).
 * @param {Json} api
 * @param {any} schema
 * @param {{ prefix: string, within: string[] }} parent the path of the schema, and the references that lead to it
 * @returns {Generator<Row>}
 */
export function* memberRows(api, schema, { prefix, within } = { prefix: '', within: [] }) {
  if (within.includes(schema?.$ref) || within.length > 6) return;
  const nested = (/** @type {any} */ inner, /** @type {string} */ path) =>
    memberRows(api, inner, { prefix: path, within: [...within, schema?.$ref ?? ''] });
  const shape = shapeOf(api, schema);
  if (shape.items) yield* nested(shape.items, `${prefix}[]`);
  if (isMap(shape)) yield* nested(shape.additionalProperties, `${prefix}{name}`);
  for (const [name, member] of Object.entries(shape.properties ?? {})) {
    const label = prefix ? `${prefix}.${name}` : name;
    yield { label, schema: member, required: (shape.required ?? []).includes(name) };
    yield* nested(member, label);
  }
  for (const each of alternativesOf(shape)) yield* nested(each, prefix);
}

/** Removes rows that repeat name and schema: alternatives often share members. */
export function uniqueRows(/** @type {Iterable<Row>} */ rows) {
  return [...new Map([...rows].map((row) => [JSON.stringify([row.label, row.schema]), row])).values()];
}
