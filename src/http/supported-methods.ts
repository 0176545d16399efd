/**
 * The methods that each path supports, for OPTIONS and 405. Fastify knows pairs of method and path only, and a route
 * for each of its forty methods and each path would take a tenth of the start: unsupported pairs are looked up here.
 */
import findMyWay from 'find-my-way';
import type { RenderProblem, Route } from './route.ts';
import { ROUTER_OPTIONS } from './server/fastify-options.ts';

export interface PathInfo {
  /** The methods of the path, for Allow. */
  readonly allow: string;
  /** Renders error responses of the path, in place of JSON. */
  readonly renderProblem: RenderProblem | undefined;
}

/** Returns what is known of a path, or undefined for an unknown one. @param url as it was received, with its query */
export type FindPath = (url: string) => PathInfo | undefined;

/** Creates the look-up. It matches paths exactly as Fastify does: the same router, with the same options. */
export function createPathFinder(routes: readonly Route[]): FindPath {
  const router = findMyWay(ROUTER_OPTIONS);
  for (const [path, entries] of Map.groupBy(routes, (route) => route.path)) {
    const renderProblem = entries.find((route) => route.renderProblem !== undefined)?.renderProblem;
    const info: PathInfo = { allow: allowOf(entries), renderProblem };
    router.on('GET', urlPattern(path), () => {}, info);
  }
  return (url) => router.find('GET', url)?.store as PathInfo | undefined;
}

/** Returns the path of an entry in the router's syntax: `/users/:id` for `/users/{id}`. */
export function urlPattern(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** HEAD comes with GET, OPTIONS with every path. */
function allowOf(entries: readonly Route[]): string {
  const methods: string[] = entries.map(({ method }) => method);
  if (methods.includes('GET')) methods.push('HEAD');
  return [...methods, 'OPTIONS'].sort().join(', ');
}
