/** The credentials that operations accept, with the scopes that they need. */
import { type AccessRule, getAdminScope, getUserScope } from '../../callers/access-rule.ts';

type Requirement = Record<string, string[]>;

/** Returns the alternatives; OpenAPI 3.1 has the scopes of a bearer credential in the list of its scheme. */
export function describeSecurity(rule: AccessRule): Requirement[] {
  const userScope = getUserScope(rule);
  const adminScope = getAdminScope(rule);
  const user = { userToken: userScope === undefined ? [] : [userScope] };
  const admin = { adminToken: adminScope === undefined || adminScope === 'any' ? [] : [adminScope] };
  switch (rule.access) {
    case 'public':
      return [];
    case 'optional':
      return [{}, user, admin];
    case 'user':
      return [user];
    case 'admin':
      return [admin];
  }
}
