/** Explains on a page why a form was rejected. */
import { RECENT_SIGN_IN_MINUTES } from '../../../callers/admin-scopes.ts';
import type { Problem } from '../../../problems/problem.ts';
import type { TextKey } from '../../texts/language-file.ts';
import type { LanguageTexts } from '../../texts/language-texts.ts';
import type { PageForm, PageLink } from './page-forms.ts';

export interface Notice {
  readonly tone: 'failure' | 'success';
  readonly title: string;
  readonly text?: string;
  readonly links: readonly PageLink[];
}

/** Problems that a page explains. */
export const NOTICES = {
  validation_failed: 'people.problem.fields',
  invalid_login: 'people.problem.invalid_login',
  invalid_totp_code: 'people.problem.invalid_totp_code',
  challenge_expired: 'people.problem.challenge_expired',
  email_not_verified: 'people.problem.email_not_verified',
  recent_sign_in_required: 'people.problem.recent_sign_in_required',
  last_way_in: 'people.problem.last_way_in',
  last_owner: 'people.problem.last_owner',
  totp_already_enabled: 'people.problem.totp_changed',
  totp_not_enabled: 'people.problem.totp_changed',
  too_many_requests: 'people.problem.limited',
  rate_limited_login: 'people.problem.limited',
} as const satisfies Readonly<Record<string, string>>;

export function toNotice(
  { basePath }: { readonly basePath: string },
  { text, duration }: LanguageTexts,
  { problem, forms }: { readonly problem: Problem; readonly forms: readonly PageForm[] },
): Notice {
  const isSignIn = problem.code === 'recent_sign_in_required';
  const key = NOTICES[problem.code as keyof typeof NOTICES];
  const seconds = isSignIn ? RECENT_SIGN_IN_MINUTES * 60 : (problem.options.retryAfterSeconds ?? 60);
  const values = { duration: duration(seconds) };
  const wrong = forms.flatMap(({ fields }) => fields).filter(({ errors }) => errors.length > 0);
  const links = wrong.map(({ id, label, errors }) => ({ href: `#${id}`, label: `${label}: ${errors[0]}` }));
  const path = WAYS_ON[problem.code];
  if (path !== undefined)
    links.push({ href: basePath + path, label: text(`people.way_on.${problem.code}` as TextKey) });
  return {
    tone: 'failure',
    title: text(`${key}.title`),
    ...(links.length > 0 && path === undefined ? {} : { text: text(`${key}.text`, values) }),
    links,
  };
}

/** Pages that help with a problem. */
const WAYS_ON: Readonly<Record<string, string>> = {
  invalid_login: '/account/reset-password',
  email_not_verified: '/account/verify-email',
  recent_sign_in_required: '/sign-in?return_to=/account',
};
