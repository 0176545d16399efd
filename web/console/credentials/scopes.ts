/** Scopes and roles of credentials in words. */
import type { AdminScope } from '../../common/api-types.ts';

export const SCOPES: Readonly<Record<AdminScope, string>> = {
  'users:read': 'See users, their tokens, messages to them and the figures of the overview, and export users',
  'users:write': 'Create, change, disable and erase users, and set their passwords',
  'tokens:verify': 'Ask whether the token of a user is valid, and whose it is',
  'tokens:write': 'Revoke tokens of users',
  'links:send': 'Send links to users: to verify, to reset, to claim; send messages again or cancel them',
  'events:read': 'Read the record of all events',
  'webhooks:write': 'See, create, change and delete webhooks, and deliver events again',
  'settings:read': 'See the status, the settings and the checks of the service',
  'settings:write': 'Change the settings that can change while the service runs',
  'clients:forward': 'Forward the address of a client, so that limits count the requests of this client',
  admin: 'Everything, credentials included',
};

export const SCOPE_NAMES = Object.keys(SCOPES) as readonly AdminScope[];

/** Scopes of people by their role. */
export const ROLES = {
  owner: ['admin'],
  support: ['users:read', 'tokens:write', 'links:send'],
  auditor: ['users:read', 'events:read', 'settings:read'],
} as const satisfies Readonly<Record<string, readonly AdminScope[]>>;

export type Role = keyof typeof ROLES;

export const ROLE_LABELS: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  support: 'Support',
  auditor: 'Auditor',
};

/** Returns the role that has exactly these scopes; undefined if none has. */
export function findRole(scopes: readonly string[]): Role | undefined {
  const wanted = scopes.toSorted().join();
  return (Object.keys(ROLES) as Role[]).find((role) => ROLES[role].toSorted().join() === wanted);
}
