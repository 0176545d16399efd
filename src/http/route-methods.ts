/** Which methods a path knows (RFC 9110 section 10.2.1), for Allow. */
import type { Route } from './route.ts';

/** Takes the address as it came; gives nothing for an unknown path. Only refusals come here, so it may search. */
export function methodsOf(routes: readonly Route[], url: string): string[] {
  const path = normalized(url);
  const own = routes.filter((route) => pattern(route.path).test(path)).map((route) => route.method);
  if (own.length === 0) return [];
  const implied = own.includes('GET') ? ['HEAD', 'OPTIONS'] : ['OPTIONS'];
  return [...new Set<string>([...own, ...implied])].sort();
}

/** As the router reads it: decoded, without origin, query, doubled slashes and trailing slash. */
function normalized(url: string): string {
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  const single = decodeURI(path).replace(/\/{2,}/g, '/');
  return single.length > 1 ? single.replace(/\/$/, '') : single;
}

function pattern(path: string): RegExp {
  const source = path.replace(/[.\\+*?^$()[\]|]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${source}$`);
}
