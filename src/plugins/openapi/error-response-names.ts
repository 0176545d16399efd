/** Names of the error responses in `components`. */
import type { ProblemCode } from '../../problems/problem.ts';
import type { DescribedRoute } from './described-route.ts';

/** Generated clients make types of the names. */
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
 * Returns `UserNotFound`, or `EmailTakenOrVersionConflict` for several codes. Where that would be too long, the name
 * is made of the operation, or of what the operations have in common: `RegisterConflict`, `UserRateLimited`.
 */
export function nameErrorResponse(group: NamedGroup): string {
  const { codes, status } = group;
  const specific = codes.filter((code) => !GENERAL.has(code));
  const name = (specific.length > 0 ? specific : codes).map(toPascalCase).join('Or');
  return name.length <= MAX_LENGTH ? name : `${nameRoutes(group)}${PHRASES[status]}`;
}

function nameRoutes({ routes }: NamedGroup): string {
  const operations = new Set(routes.map(({ schema }) => schema.operationId!));
  if (operations.size === 1) return capitalize([...operations][0]!);
  const accesses = new Set(routes.map(({ config }) => config.access!));
  return accesses.size === 1 ? capitalize([...accesses][0]!) : '';
}

function toPascalCase(code: string): string {
  return code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
