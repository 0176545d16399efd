/** The credentials that operations accept, with the scopes that they need. */
import { type AccessRule, getAdminScope, getUserScope } from '../../callers/access-rule.ts';

export const securitySchemes = {
  userToken: {
    type: 'http' as const,
    scheme: 'bearer',
    description:
      'An access token, as registration and login return it. Operations name the scope that it needs.',
  },
  adminToken: {
    type: 'http' as const,
    scheme: 'bearer',
    description:
      'The credential of an administrator: a named one (`fd_svc_…`) or `ADMIN_TOKEN`, which has all scopes. Operations name the scope that it needs; `admin` includes all.',
  },
};

/** Returns the alternatives; OpenAPI 3.1 has the scopes of a bearer credential in the list of its scheme. */
export function describeSecurity(rule: AccessRule): Record<string, string[]>[] {
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
