/** Scopes of administrators' credentials. The pages import them as well. */

/** Description of each scope, for the API description, the console and docs/credentials.md. */
export const ADMIN_SCOPES = {
  'users:read': 'See users, their tokens, their events, messages to them and the figures of the overview.',
  'users:export': 'Export all users at once.',
  'users:write': 'Create, change, disable and erase users, and set their passwords.',
  'tokens:verify': 'Ask whether the token of a user is valid, and whose it is.',
  'tokens:write': 'Revoke tokens of users.',
  'links:send':
    'Send users links to verify their email, to reset their password or to claim their account; send messages again or cancel them.',
  'events:read': 'Read the record of all events.',
  'webhooks:write': 'See, create, change and delete webhooks, and deliver events again.',
  'forms:read': 'See forms with all of their versions.',
  'forms:write': 'Create, change, publish, close and delete forms, and delete and release submissions.',
  'submissions:read': 'See and export submissions to forms.',
  'applications:read': 'See the applications to which people sign in, without their secrets.',
  'applications:write': 'Create, change and delete applications, and rotate their secrets.',
  'identity-providers:write': 'See, add, change, check and delete identity providers.',
  'settings:read': 'See the status, the settings and the checks of the service.',
  'settings:write':
    'Change the settings that can change while the service runs, but limits of logins and the retention of events.',
  'clients:forward': 'Forward the address of a client, so that limits count the requests of this client.',
  admin: 'Everything, credentials included.',
} as const;

export type AdminScope = keyof typeof ADMIN_SCOPES;

export const ADMIN_SCOPE_NAMES = Object.keys(ADMIN_SCOPES) as readonly AdminScope[];

/** Requirement of an operation: a scope, or any credential of an administrator. */
export type RequiredAdminScope = AdminScope | 'any';

/** Whether a credential with these scopes may call an operation that requires this one. */
export function hasAdminScope(scopes: readonly AdminScope[], required: RequiredAdminScope): boolean {
  return required === 'any' || scopes.includes('admin') || scopes.includes(required);
}

/** Scopes of people by role, as the console and `credentials create --role` offer them. */
export const ROLES = {
  owner: ['admin'],
  support: ['users:read', 'tokens:write', 'links:send'],
  auditor: ['users:read', 'events:read', 'settings:read'],
} as const satisfies Readonly<Record<string, readonly AdminScope[]>>;

export type Role = keyof typeof ROLES;
