/** Parameters that several operations have alike: described once, in `components.parameters`. */
import { componentRef, type Json, mapValues } from './json.ts';

interface Parameter extends Json {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** Returns the paths with references to the parameters that are repeated, and these parameters by name. */
export function shareParameters(given: Json): { paths: Json; parameters: Json } {
  const paths = given as Paths;
  const names = nameRepeated(paths);
  const share = (parameter: Parameter) => {
    const name = names.get(JSON.stringify(parameter));
    return name === undefined ? parameter : componentRef('parameters', name);
  };
  const shared = mapValues(paths, (item) =>
    mapValues(item as Json, (operation) => {
      const { parameters } = operation as { parameters?: Parameter[] };
      return parameters ? { ...(operation as Json), parameters: parameters.map(share) } : operation;
    }),
  );
  const components = [...names].map(([parameter, name]) => [name, JSON.parse(parameter)]);
  return { paths: shared, parameters: Object.fromEntries(components) };
}

/** Returns names by parameter, as JSON. The one that most operations have gets the best name. */
function nameRepeated(paths: Paths): Map<string, string> {
  const uses = Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item).flatMap(({ parameters = [], tags }) =>
      (parameters as Parameter[])
        .filter((parameter) => !('$ref' in parameter))
        .map((parameter) => ({ parameter, names: listNames(parameter, path, (tags as string[])[0]!) })),
    ),
  );
  const names = new Map<string, string>();
  const repeated = [...Map.groupBy(uses, ({ parameter }) => JSON.stringify(parameter))]
    .filter(([, { length }]) => length > 1)
    .sort(([, one], [, other]) => other.length - one.length);
  for (const [key, [use]] of repeated) {
    const taken = new Set(names.values());
    const name = use!.names.find((each) => !taken.has(each));
    if (name === undefined) throw new Error(`No name for the parameter ${use!.parameter.name}`);
    names.set(key, name);
  }
  return names;
}

/** Returns names, the best one first: `Limit`, `EventsLimit`; `UserId` for the id in `/users/{id}`. */
function listNames({ name, in: place, required }: Parameter, path: string, tag: string): string[] {
  const collection = /(\w+?)s?\/\{id\}/.exec(path)?.[1] ?? '';
  const own = toPascalCase(place === 'path' && name === 'id' ? `${collection}_id` : name);
  return [own, ...(required && place !== 'path' ? [`Required${own}`] : []), `${tag}${own}`];
}

function toPascalCase(name: string): string {
  return name.replace(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
