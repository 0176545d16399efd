/** The rate limits by name, with their defaults and problem codes. */
import type { ProblemCode } from '../problems/problem.ts';
import type { Quota } from './gcra.ts';

/** Default as `quota/seconds`, title and meaning. Ordinary use and ordinary test suites stay below these; guessing of passwords does not. */
export const LIMIT_DEFINITIONS = {
  anon: ['120/60', 'Anonymous requests', 'Without a valid credential, per network.'],
  user: ['600/60', 'Requests of a user', 'With a token, wherever they come from.'],
  create: ['60/60', 'New user records', 'By others than the administrator, per network.'],
  'create-hour': [
    '200/3600',
    'New user records in an hour',
    'By others than the administrator, per network.',
  ],
  'create-day': ['500/86400', 'New user records in a day', 'By others than the administrator, per network.'],
  register: ['30/60', 'Registrations', 'Per network.'],
  'register-hour': ['200/3600', 'Registrations in an hour', 'Per network.'],
  login: ['60/60', 'Sign-ins', 'And other requests that check a password, per network.'],
  'login-code': ['120/3600', 'Codes to sign in', 'Requested, per network.'],
  'login-fail': ['5/60', 'Failed sign-ins from one network', 'To one account.'],
  'login-account': ['100/3600', 'Failed sign-ins of one account', 'From anywhere.'],
  'admin-fail': ['10/900', 'Wrong administrator credentials', 'Per network.'],
  'device-code': ['10/3600', 'Wrong codes of devices', 'Per network.'],
  application: [
    '2400/60',
    'Requests of applications',
    'For tokens and codes of devices, and to revoke tokens, per network.',
  ],
  documents: ['300/60', 'Documents and pages of links', 'Per network.'],
  'password-reset': ['30/3600', 'Links to set a password', 'Requested or used, per network.'],
  'email-verification': ['30/3600', 'Links to verify an email', 'Requested or used, per network.'],
  'token-create': ['120/3600', 'New tokens of a user', 'Created or rotated.'],
  write: ['1200/60', 'Changes with a token', 'Per network.'],
  verify: ['6000/60', 'Verifications of tokens', 'Per credential.'],
  'credential-write': ['600/60', 'Changes with a named credential', 'Per credential.'],
  'credential-read': ['6000/60', 'Other requests with a named credential', 'Per credential.'],
  submission: ['60/60', 'Submissions to forms', 'Per network.'],
} as const;

export type LimitName = keyof typeof LIMIT_DEFINITIONS;
export const LIMIT_NAMES = Object.keys(LIMIT_DEFINITIONS) as readonly LimitName[];

/** Null for a limit that is off. */
export type Limits = Readonly<Record<LimitName, Quota | null>>;

/** Limits with response headers. Those of a counter per account would reveal the traffic of its owner. */
export type AdvertisedLimit = Exclude<
  LimitName,
  'login-fail' | 'login-account' | 'admin-fail' | 'device-code'
>;

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
