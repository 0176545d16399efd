/**
 * What leaves is what the response schema names: members that it does not know stay inside. The native
 * JSON.stringify over a copy is faster than generated code for lists, and loads nothing.
 */
import type { TSchema } from '../tools/schema.ts';

export type Serialize = (value: unknown) => string;

type Project = (value: unknown) => unknown;

/** `shared` are the schemas that others refer to by `$id`. */
export function compileSerializer(schema: TSchema, shared: readonly TSchema[]): Serialize {
  const project = compile(schema, shared);
  return (value) => JSON.stringify(project(value));
}

function compile(schema: TSchema, shared: readonly TSchema[]): Project {
  if (schema.$ref !== undefined) return compile(referred(schema.$ref, shared), shared);
  if (schema.anyOf !== undefined) return union(schema.anyOf as TSchema[], shared);
  if (schema.type === 'array') {
    const element = compile(schema.items as TSchema, shared);
    return (value) => (value as unknown[]).map(element);
  }
  return schema.type === 'object' ? object(schema, shared) : (value) => value;
}

function referred(id: unknown, shared: readonly TSchema[]): TSchema {
  const found = shared.find((schema) => schema.$id === id);
  if (found === undefined) throw new Error(`No schema has the $id ${id}`);
  return found;
}

function object(schema: TSchema, shared: readonly TSchema[]): Project {
  const members = Object.entries((schema.properties ?? {}) as Record<string, TSchema>);
  const projections = members.map(([name, member]) => [name, compile(member, shared)] as const);
  return (value) => {
    const source = value as Readonly<Record<string, unknown>>;
    const copy: Record<string, unknown> = {};
    for (const [name, project] of projections) {
      const member = source[name];
      if (member !== undefined) copy[name] = member === null ? null : project(member);
    }
    return copy;
  };
}

/** The first alternative whose required members are all there. */
function union(alternatives: readonly TSchema[], shared: readonly TSchema[]): Project {
  const candidates = alternatives.map((schema) => {
    const resolved = schema.$ref === undefined ? schema : referred(schema.$ref, shared);
    return { required: (resolved.required ?? []) as string[], project: compile(resolved, shared) };
  });
  return (value) => {
    const fitting = candidates.find(({ required }) =>
      required.every((name) => Object.hasOwn(value as object, name)),
    );
    if (fitting === undefined) throw new Error('The answer fits none of its schemas');
    return fitting.project(value);
  };
}
