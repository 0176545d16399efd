/** The rate limits by name, with their defaults and problem codes. */
import type { ProblemCode } from '../problems/problem.ts';
import type { Quota } from './gcra.ts';

/** Default as `quota/seconds`, and meaning. Ordinary use and ordinary test suites stay below these; guessing of passwords does not. */
export const LIMIT_DEFINITIONS = {
  anon: ['120/60', 'Requests without a valid credential, per network.'],
  user: ['600/60', 'Requests with a token, per user.'],
  create: ['60/60', 'User records that others than the administrator create, per network.'],
  'create-hour': ['200/3600', 'The same, over an hour.'],
  'create-day': ['500/86400', 'The same, over a day.'],
  register: ['30/60', 'Registrations, per network.'],
  'register-hour': ['200/3600', 'The same, over an hour.'],
  login: ['60/60', 'Logins and other requests that check a password, per network.'],
  'login-fail': ['5/60', 'Failed logins of one account from one network.'],
  'login-account': ['100/3600', 'Failed logins of one account from anywhere.'],
  'admin-fail': ['10/900', 'Wrong administrator credentials, per network.'],
  documents: ['300/60', 'Documents and pages of links, per network.'],
  'password-reset': ['30/3600', 'Links to set a password, requested or used, per network.'],
  'email-verification': ['30/3600', 'Links to verify an email, per network.'],
  'token-create': ['120/3600', 'Tokens that are created or rotated, per user.'],
  write: ['1200/60', 'Requests with a token that may change something, per network.'],
  verify: ['6000/60', 'Requests to verify tokens, per credential.'],
  'credential-write': [
    '600/60',
    'Requests with a named credential that may change something, per credential.',
  ],
  'credential-read': ['6000/60', 'Other requests with a named credential, per credential.'],
  submission: ['60/60', 'Submissions to forms, per network.'],
} as const;

export type LimitName = keyof typeof LIMIT_DEFINITIONS;
export const LIMIT_NAMES = Object.keys(LIMIT_DEFINITIONS) as readonly LimitName[];

/** Null for a limit that is off. */
export type Limits = Readonly<Record<LimitName, Quota | null>>;

/** Limits with response headers. Those of a counter per account would reveal the traffic of its owner. */
export type AdvertisedLimit = Exclude<LimitName, 'login-fail' | 'login-account' | 'admin-fail'>;

/** Limits of one user, wherever the requests come from. Routes name them in `userLimits`. */
export type UserLimit = 'token-create';

/** Limits of one administrator's credential. Routes name those that replace the general ones in `credentialLimits`. */
export type CredentialLimit = 'verify' | 'credential-write' | 'credential-read';

/** Whether a request with this method counts as a write. */
export function isWrite({ method }: { readonly method: string }): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** Returns the limits that count a request with a named credential. */
export function getCredentialLimits(route: {
  readonly method: string;
  readonly credentialLimits?: readonly CredentialLimit[] | undefined;
}): readonly CredentialLimit[] {
  return route.credentialLimits ?? [isWrite(route) ? 'credential-write' : 'credential-read'];
}

/** Returns the problem code of a request that the limit rejects. */
export function toLimitProblem(name: AdvertisedLimit | 'admin-fail'): ProblemCode {
  return `rate_limited_${name.replace('-', '_') as Underscored<typeof name>}`;
}

type Underscored<Name> = Name extends `${infer Start}-${infer End}` ? `${Start}_${End}` : Name & string;
