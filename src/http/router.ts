/** From an address to what stands there: one reading of paths, for the routes and for what is said of them. */
import findMyWay from 'find-my-way';
import { Problem } from '../problems.ts';
import type { HandlerContext } from './route.ts';

/** Of a path, by name, decoded. */
export type Params = Readonly<Record<string, string | undefined>>;

/** A path of the service. */
export interface RouteMatch<Entry> {
  /** By method. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly params: Params;
  readonly query: HandlerContext['query'];
}

/** Characters of a parameter: a longer one names nothing. */
export const MAX_PARAMETER_LENGTH = 255;
/** Four bytes of UTF-8, each as `%xx`: parameters are counted before they are decoded, too. */
const MAX_ENCODED_CHARACTER_LENGTH = 12;

const NONE = Object.freeze({});

/**
 * Takes entries with their paths, `{name}` for parameters. Gives the search: by the address as it came, in
 * origin or absolute form, without regard to doubled and trailing slashes; null for an unknown path.
 *
 * The search throws Problem invalid_path for what is not an address or not UTF-8.
 */
export function createRouter<Entry>(
  table: readonly (readonly [method: string, path: string, entry: Entry])[],
): (url: string) => RouteMatch<Entry> | null {
  const router = findMyWay({
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: true,
    maxParamLength: MAX_PARAMETER_LENGTH * MAX_ENCODED_CHARACTER_LENGTH,
    onBadUrl: unreachable,
  });
  const literal = new Map<string, RouteMatch<Entry>>();
  // The router's own idea of a method is not used: what a path knows is asked for, too (RFC 9110 section 10.2.1).
  for (const [path, routes] of Map.groupBy(table, ([, path]) => path)) {
    const entries = new Map(routes.map(([method, , entry]) => [method, entry]));
    if (!path.includes('{')) literal.set(path, { entries, params: NONE, query: NONE });
    router.on('GET', path.replace(/\{(\w+)\}/g, ':$1'), unreachable, entries);
  }
  return (url) => {
    // Most addresses are written as the path is, and need no reading.
    const known = literal.get(url);
    if (known !== undefined) return known;
    const found = router.find('GET', url);
    if (found === null) return null;
    if (found.store === null) throw new Problem('invalid_path');
    return { entries: found.store, params: found.params, query: found.searchParams };
  };
}

function unreachable(): never {
  throw new Error('The router only finds: what it finds is called elsewhere');
}

/** The methods that a path knows, for Allow: HEAD comes with GET, and OPTIONS with all. */
export function allowedMethods({ entries }: RouteMatch<unknown>): string[] {
  return [...entries.keys(), ...(entries.has('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
}
