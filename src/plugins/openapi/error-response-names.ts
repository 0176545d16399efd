/** Names of the error responses in `components`. */
import type { ProblemCode } from '../../problems/problem.ts';
import type { DescribedRoute } from './described-route.ts';

/** Generated clients use the names as types. */
const MAX_LENGTH = 32;

interface NamedGroup {
  readonly status: number;
  readonly codes: readonly ProblemCode[];
  readonly routes: readonly DescribedRoute[];
}

/** Codes that are omitted from names when the status has a more specific code. */
const GENERAL: ReadonlySet<ProblemCode> = new Set(['malformed_request', 'invalid_payload', 'not_found']);

const PHRASES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  429: 'RateLimited',
  503: 'Unavailable',
};

/**
 * Returns a name for each group: `UserNotFound`, or `EmailTakenOrVersionConflict` for several codes. Where that would
 * be too long, the name is made of what the operations have in common, or of the first one: `UserRateLimited`,
 * `RegisterConflict`.
 */
export function nameErrorResponses<G extends NamedGroup>(groups: readonly G[]): ReadonlyMap<G, string> {
  const names = new Map<G, string>();
  const taken = new Set<string>();
  for (const group of groups) {
    const name = listNames(group).find((each) => each.length <= MAX_LENGTH && !taken.has(each));
    if (name === undefined) throw new Error(`No name for an error response with ${group.codes.join(', ')}`);
    names.set(group, name);
    taken.add(name);
  }
  return names;
}

/** Returns names of the group, the best one first. */
function listNames({ codes, status, routes }: NamedGroup): string[] {
  const specific = codes.filter((code) => !GENERAL.has(code));
  // In an operation without a body, the query is validated.
  const hasBody = codes.includes('invalid_payload');
  const toName = (code: ProblemCode) =>
    code === 'validation_failed' && !hasBody ? 'InvalidQuery' : toPascalCase(code);
  const ofCodes = (specific.length > 0 ? specific : codes).map(toName).join('Or');
  const operations = [...new Set(routes.map(({ schema }) => capitalize(schema.operationId!)))];
  const accesses = new Set(routes.map(({ config }) => capitalize(config.access!)));
  const common = operations.length > 1 && accesses.size === 1 ? [...accesses] : [];
  return [ofCodes, ...[...common, ...operations].map((name) => `${name}${PHRASES[status]}`)];
}

function toPascalCase(code: string): string {
  return code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
