/** Schemas that repeat a component: replaced by a reference to it, or to it and the members that they have besides. */
import { componentRef, type Json, mapValues } from './json.ts';

/** Shorter schemas are as long as a reference. */
const MIN_LENGTH = 100;
/** With fewer members in common, two schemas are alike by chance. */
const MIN_MEMBERS = 4;

interface Component {
  readonly name: string;
  readonly schema: Json;
  /** The schema without its description, as JSON. */
  readonly text: string;
}

/** Returns the components with references where one of them, or a part of it, repeats another. */
export function shareSchemas(schemas: Json): Json {
  const components = Object.entries(schemas)
    .map(([name, schema]) => ({ name, schema: schema as Json, text: toText(schema as Json) }))
    .sort((one, other) => other.text.length - one.text.length);
  return mapValues(schemas, (schema, name) => {
    const others = components.filter((each) => each.name !== name);
    return share(schema, others, true);
  });
}

function toText({ description: _, ...rest }: Json): string {
  return JSON.stringify(rest);
}

function share(node: unknown, components: readonly Component[], isComponent = false): unknown {
  if (Array.isArray(node)) return node.map((each) => share(each, components));
  if (typeof node !== 'object' || node === null) return node;
  const schema = node as Json;
  const found = isSchema(schema)
    ? (!isComponent && findSame(schema, components)) || extend(schema, components)
    : null;
  return found ?? mapValues(schema, (value) => share(value, components));
}

const isSchema = ({ type }: Json) => typeof type === 'string' || Array.isArray(type);

function findSame(schema: Json, components: readonly Component[]): Json | null {
  const text = toText(schema);
  const same = text.length < MIN_LENGTH ? undefined : components.find((each) => each.text === text);
  if (same === undefined) return null;
  const { description } = schema;
  const isOwn = description !== undefined && description !== same.schema.description;
  return { ...componentRef('schemas', same.name), ...(isOwn ? { description } : {}) };
}

/** Returns the schema as an extension of the largest component whose members it has, or null. */
function extend(schema: Json, components: readonly Component[]): Json | null {
  const { type, required, properties, description, ...others } = schema;
  if (properties === undefined || Object.keys(others).length > 0) return null;
  const base = components.find((each) => isExtension(schema, each.schema));
  if (base === undefined) return null;
  const more = omit(properties as Json, Object.keys(base.schema.properties as Json));
  const own = {
    type,
    required: listRequired(schema).filter((name) => Object.hasOwn(more, name)),
    properties: mapValues(more, (value) => share(value, components)),
  };
  return {
    ...(description === undefined ? {} : { description }),
    allOf: [componentRef('schemas', base.name), own],
  };
}

const listRequired = ({ required = [] }: Json) => required as readonly string[];

function isExtension(schema: Json, base: Json): boolean {
  const { type, required: _, properties, description: __, ...others } = base;
  if (type !== 'object' || properties === undefined || Object.keys(others).length > 0) return false;
  const members = Object.entries(properties as Json);
  const own = schema.properties as Json;
  return (
    members.length >= MIN_MEMBERS &&
    members.length < Object.keys(own).length &&
    members.every(([name, member]) => JSON.stringify(own[name]) === JSON.stringify(member)) &&
    members.every(([name]) => listRequired(base).includes(name) === listRequired(schema).includes(name))
  );
}

function omit(object: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
