/** Scopes of administrators' credentials. The pages import them as well. */

/** Each scope in words, for the API description, the console and docs/credentials.md. */
export const ADMIN_SCOPES = {
  'users:read': {
    group: 'Users',
    title: 'See users',
    meaning: 'See users, their tokens, their events, messages to them and the figures of the overview.',
  },
  'users:export': {
    group: 'Users',
    title: 'Export users',
    meaning: 'Export all users at once.',
  },
  'users:write': {
    group: 'Users',
    title: 'Change users',
    meaning: 'Create, change, disable and erase users, and set their passwords.',
  },
  'tokens:verify': {
    group: 'Users',
    title: 'Verify tokens',
    meaning: 'Ask whether the token of a user is valid, and whose it is.',
  },
  'tokens:write': {
    group: 'Users',
    title: 'Revoke tokens',
    meaning: 'Revoke tokens of users.',
  },
  'links:send': {
    group: 'Users',
    title: 'Send links',
    meaning:
      'Send users links to verify their email, to reset their password or to claim their account; send messages again or cancel them.',
  },
  'groups:read': {
    group: 'Users',
    title: 'See groups',
    meaning: 'See the groups of users. Who sees users sees the names of their groups as well.',
  },
  'groups:write': {
    group: 'Users',
    title: 'Change groups',
    meaning: 'Create, change and delete groups, and change who is in them.',
  },
  'events:read': {
    group: 'Events',
    title: 'See events',
    meaning: 'Read the record of all events, with the names and emails of users that they are about.',
  },
  'webhooks:write': {
    group: 'Events',
    title: 'Manage webhooks',
    meaning: 'See, create, change and delete webhooks, and deliver events again.',
  },
  'forms:read': {
    group: 'Forms',
    title: 'See forms',
    meaning: 'See forms with all of their versions.',
  },
  'forms:write': {
    group: 'Forms',
    title: 'Change forms',
    meaning: 'Create, change, publish, close and delete forms, and delete and release submissions.',
  },
  'submissions:read': {
    group: 'Forms',
    title: 'See submissions',
    meaning: 'See and export submissions to forms.',
  },
  'applications:read': {
    group: 'Sign-in',
    title: 'See applications',
    meaning: 'See the applications to which people sign in, without their secrets.',
  },
  'applications:write': {
    group: 'Sign-in',
    title: 'Change applications',
    meaning: 'Create, change and delete applications, and rotate their secrets.',
  },
  'identity-providers:write': {
    group: 'Sign-in',
    title: 'Manage identity providers',
    meaning: 'See, add, change, check and delete identity providers.',
  },
  'settings:read': {
    group: 'Service',
    title: 'See settings',
    meaning: 'See the status, the settings and the checks of the service.',
  },
  'settings:write': {
    group: 'Service',
    title: 'Change settings',
    meaning:
      'Change the settings that can change while the service runs, but limits of sign-ins and the retention of events.',
  },
  'clients:forward': {
    group: 'Service',
    title: 'Forward addresses',
    meaning: 'Forward the address of a client, so that limits count the requests of this client.',
  },
  admin: {
    group: 'Service',
    title: 'Everything',
    meaning: 'Everything, credentials included.',
  },
} as const;

export type AdminScope = keyof typeof ADMIN_SCOPES;

export const ADMIN_SCOPE_NAMES = Object.keys(ADMIN_SCOPES) as readonly AdminScope[];

/** Requirement of an operation: a scope, or any credential of an administrator. */
export type RequiredAdminScope = AdminScope | 'any';

/** Whether a credential with these scopes may call an operation that requires this one. */
export function hasAdminScope(scopes: readonly AdminScope[], required: RequiredAdminScope): boolean {
  return required === 'any' || scopes.includes('admin') || scopes.includes(required);
}

/** Scopes of people by role. */
export const ROLES = {
  owner: ['admin'],
  support: ['users:read', 'users:write', 'tokens:write', 'links:send', 'groups:read'],
  auditor: ['users:read', 'groups:read', 'events:read', 'settings:read', 'forms:read', 'applications:read'],
} as const satisfies Readonly<Record<string, readonly AdminScope[]>>;

export type Role = keyof typeof ROLES;

export const ROLE_NAMES = Object.keys(ROLES) as readonly Role[];

/** Age of a sign-in from which on it proves nothing (OWASP ASVS 5.0, 7.5.3). */
export const RECENT_SIGN_IN_MINUTES = 15;

/**
 * always: people with a role need a recent sign-in to the console, which `plugins/access/recent-sign-ins.ts` verifies; a
 * function decides the same by the body. without password: the request proves its person by the current password, or for
 * accounts without one by a recent sign-in with the cookie of the pages, which `requireProof` verifies.
 */
export type RecentSignIn = 'always' | 'without password' | ((body: unknown) => boolean);
