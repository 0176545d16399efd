/** Parameters that several operations have alike: described once, in `components.parameters`. */
import { componentRef, type Json, mapValues } from './json.ts';

interface Parameter extends Json {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
}

interface Use {
  readonly parameter: Parameter;
  readonly path: string;
  readonly tag: string;
}

/** Returns the paths with references to the parameters that are repeated, and these parameters by name. */
export function shareParameters(paths: Json): { paths: Json; parameters: Json } {
  const names = nameRepeated(findUses(paths));
  const share = (parameter: Parameter) => {
    const name = names.get(JSON.stringify(parameter));
    return name === undefined ? parameter : componentRef('parameters', name);
  };
  const shared = mapValues(paths, (item) =>
    mapValues(item as Json, (operation) => {
      const { parameters } = operation as { parameters?: Parameter[] };
      return parameters === undefined
        ? operation
        : { ...(operation as Json), parameters: parameters.map(share) };
    }),
  );
  const components = [...names].map(([parameter, name]) => [name, JSON.parse(parameter)]);
  return { paths: shared, parameters: Object.fromEntries(components) };
}

function findUses(paths: Json): Use[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item as Record<string, Json>).flatMap(({ parameters = [], tags }) =>
      (parameters as Parameter[])
        .filter((parameter) => !('$ref' in parameter))
        .map((parameter) => ({ parameter, path, tag: (tags as string[])[0]! })),
    ),
  );
}

/** Returns names by parameter, as JSON. The one that most operations have gets the best name. */
function nameRepeated(uses: readonly Use[]): Map<string, string> {
  const names = new Map<string, string>();
  const repeated = [...Map.groupBy(uses, ({ parameter }) => JSON.stringify(parameter))]
    .filter(([, { length }]) => length > 1)
    .sort(([, one], [, other]) => other.length - one.length);
  for (const [key, [use]] of repeated) {
    const taken = new Set(names.values());
    const name = listNames(use!).find((each) => !taken.has(each));
    if (name === undefined) throw new Error(`No name for the parameter ${use!.parameter.name}`);
    names.set(key, name);
  }
  return names;
}

/** Returns names of the parameter, the best one first: `Limit`, `EventsLimit`; `UserId` for the id in `/users/{id}`. */
function listNames({ parameter, path, tag }: Use): string[] {
  const own = toPascalCase(parameter.name);
  const collection = /(\w+?)s?\/\{id\}/.exec(path)?.[1] ?? '';
  const name = parameter.in === 'path' && own === 'Id' ? `${toPascalCase(collection)}Id` : own;
  return [
    name,
    ...(parameter.required && parameter.in !== 'path' ? [`Required${name}`] : []),
    `${tag}${name}`,
  ];
}

function toPascalCase(name: string): string {
  return name.replace(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
