/** Roles of credentials. */
import { ROLES, type Role } from '../../../src/callers/admin-scopes.ts';

export const ROLE_NAMES = Object.keys(ROLES) as readonly Role[];

/** Returns the role that has exactly these scopes; undefined if none has. */
export function findRole(scopes: readonly string[]): Role | undefined {
  const wanted = scopes.toSorted().join();
  return ROLE_NAMES.find((role) => ROLES[role].toSorted().join() === wanted);
}
