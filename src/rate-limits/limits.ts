/** The rate limits by name, with their defaults and problem codes. */
import type { ProblemCode } from '../problems/problem.ts';
import type { Quota } from './gcra.ts';

export const LIMIT_NAMES = [
  'anon',
  'user',
  'create',
  'create-hour',
  'create-day',
  'register',
  'register-hour',
  'login',
  'login-fail',
  'login-account',
  'admin-fail',
  'documents',
  'password-reset',
  'email-verification',
  'token-create',
  'write',
  'verify',
  'credential-write',
  'credential-read',
  'submission',
] as const;

export type LimitName = (typeof LIMIT_NAMES)[number];

/** Null for a limit that is off. */
export type Limits = Readonly<Record<LimitName, Quota | null>>;

/** `quota/seconds`. Ordinary use and ordinary test suites stay below these; guessing of passwords does not. */
export const DEFAULT_LIMITS: Readonly<Record<LimitName, string>> = {
  anon: '120/60',
  user: '600/60',
  create: '60/60',
  'create-hour': '200/3600',
  'create-day': '500/86400',
  register: '30/60',
  'register-hour': '200/3600',
  login: '60/60',
  'login-fail': '5/60',
  'login-account': '100/3600',
  'admin-fail': '10/900',
  documents: '300/60',
  'password-reset': '30/3600',
  'email-verification': '30/3600',
  'token-create': '120/3600',
  write: '1200/60',
  verify: '6000/60',
  'credential-write': '600/60',
  'credential-read': '6000/60',
  submission: '60/60',
};

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

/** Problem codes of rejected requests. */
export const LIMIT_PROBLEMS = {
  anon: 'rate_limited_anon',
  user: 'rate_limited_user',
  create: 'rate_limited_create',
  'create-hour': 'rate_limited_create_hour',
  'create-day': 'rate_limited_create_day',
  register: 'rate_limited_register',
  'register-hour': 'rate_limited_register_hour',
  login: 'rate_limited_login',
  'admin-fail': 'rate_limited_admin_fail',
  documents: 'rate_limited_documents',
  'password-reset': 'rate_limited_password_reset',
  'email-verification': 'rate_limited_email_verification',
  'token-create': 'rate_limited_token_create',
  write: 'rate_limited_write',
  verify: 'rate_limited_verify',
  'credential-write': 'rate_limited_credential_write',
  'credential-read': 'rate_limited_credential_read',
  submission: 'rate_limited_submission',
} as const satisfies Record<AdvertisedLimit | 'admin-fail', ProblemCode>;
