/**
 * What leaves is what the response schema names, in its order: members that it does not know stay inside. A
 * value that is like that already, as nearly all are, is written as it is; of others a copy is.
 */
import type { TSchema } from '../lib/schema.ts';

export type Serialize = (value: unknown) => string;

/** A schema as it is applied; null where it lets everything out. */
type Filter = {
  /** Whether the value has nothing but what the schema names, in its order. */
  fits(value: unknown): boolean;
  /** A copy that does. */
  project(value: unknown): unknown;
} | null;

/** `shared` are the schemas that others refer to by `$id`. */
export function compileSerializer(schema: TSchema, shared: readonly TSchema[]): Serialize {
  const filter = compile(schema, shared);
  return (value) => JSON.stringify(filter === null || filter.fits(value) ? value : filter.project(value));
}

function compile(schema: TSchema, shared: readonly TSchema[]): Filter {
  if (schema.$ref !== undefined) return compile(referred(schema.$ref, shared), shared);
  if (schema.anyOf !== undefined) return union(schema.anyOf as TSchema[], shared);
  if (schema.type === 'array') return array(compile(schema.items as TSchema, shared));
  return schema.type === 'object' ? object(schema, shared) : null;
}

function referred(id: unknown, shared: readonly TSchema[]): TSchema {
  const found = shared.find((schema) => schema.$id === id);
  if (found === undefined) throw new Error(`No schema has the $id ${id}`);
  return found;
}

function array(element: Filter): Filter {
  if (element === null) return null;
  return {
    fits: (value) => (value as unknown[]).every(element.fits),
    project: (value) => (value as unknown[]).map(element.project),
  };
}

function object(schema: TSchema, shared: readonly TSchema[]): Filter {
  const members = Object.entries((schema.properties ?? {}) as Record<string, TSchema>);
  const names = members.map(([name]) => name);
  const filters = members.map(([, member]) => compile(member, shared));
  return {
    fits(value) {
      let position = -1;
      for (const name in value as object) {
        position = names.indexOf(name, position + 1);
        if (position < 0) return false;
        const filter = filters[position]!;
        if (filter === null) continue;
        const member = (value as Readonly<Record<string, unknown>>)[name];
        if (member !== null && member !== undefined && !filter.fits(member)) return false;
      }
      return true;
    },
    project(value) {
      const source = value as Readonly<Record<string, unknown>>;
      const copy: Record<string, unknown> = {};
      for (const [position, name] of names.entries()) {
        const member = source[name];
        const filter = filters[position]!;
        if (member === undefined) continue;
        copy[name] = member === null || filter === null ? member : filter.project(member);
      }
      return copy;
    },
  };
}

/** The first alternative whose required members are all there. */
function union(alternatives: readonly TSchema[], shared: readonly TSchema[]): Filter {
  const candidates = alternatives.map((schema) => {
    const resolved = schema.$ref === undefined ? schema : referred(schema.$ref, shared);
    return { required: (resolved.required ?? []) as string[], filter: compile(resolved, shared) };
  });
  const filterFor = (value: unknown): Filter => {
    const fitting = candidates.find(({ required }) =>
      required.every((name) => Object.hasOwn(value as object, name)),
    );
    if (fitting === undefined) throw new Error('The answer fits none of its schemas');
    return fitting.filter;
  };
  return {
    fits: (value) => filterFor(value)?.fits(value) ?? true,
    project(value) {
      const filter = filterFor(value);
      return filter === null ? value : filter.project(value);
    },
  };
}
