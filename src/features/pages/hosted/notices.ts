/** Explains problems to people: above the form that was rejected, or on a page of its own. */
import { RECENT_SIGN_IN_MINUTES } from '../../../callers/admin-scopes.ts';
import type { Problem } from '../../../problems/problem.ts';
import type { LinkKind } from '../../mail/links/queries.ts';
import type { LanguageTexts, TextKey } from '../../texts/language-file.ts';
import type { PageForm } from './page-forms.ts';

export interface Notice {
  readonly tone: 'failure' | 'success';
  readonly title: string;
  readonly text?: string;
  /** What is wrong, with the name and the place of the field, and ways on. */
  readonly links: readonly { readonly href?: string; readonly name?: string; readonly label: string }[];
}

interface NoticeContext {
  readonly texts: LanguageTexts;
  /** Returns the URL of a page that keeps the way of the person. */
  readonly toUrl: (path: string, parameters?: Readonly<Record<string, string>>) => string;
}

/** Problems that are explained above the form. */
const REASONS = {
  validation_failed: 'people.problem.fields',
  invalid_login: 'people.problem.invalid_login',
  invalid_passkey: 'people.problem.invalid_passkey',
  too_many_passkeys: 'people.problem.too_many_passkeys',
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
  rate_limited_login_code: 'people.problem.limited',
} as const satisfies Readonly<Record<string, string>>;

const WAYS_ON: Readonly<
  Record<string, readonly [path: string, parameters?: { readonly return_to: string }]>
> = {
  invalid_login: ['/account/reset-password'],
  email_not_verified: ['/account/verify-email'],
  recent_sign_in_required: ['/sign-in', { return_to: '/account' }],
};

/** Whether the problem is explained above the form that was rejected. */
export const hasNotice = ({ code }: Problem): boolean => Object.hasOwn(REASONS, code);

/** Returns the reason why one of these forms was rejected, for a problem that has a notice. */
export function toNotice(
  { texts: { text, duration }, toUrl }: NoticeContext,
  { code, options }: Problem,
  forms: readonly PageForm[],
): Notice {
  const reason = REASONS[code as keyof typeof REASONS];
  const isSignIn = code === 'recent_sign_in_required';
  const seconds = isSignIn ? RECENT_SIGN_IN_MINUTES * 60 : (options.retryAfterSeconds ?? 60);
  const wrong = forms.flatMap(({ fields }) => fields).filter(({ errors }) => errors.length > 0);
  const errors = wrong.map(({ id, label: name, errors }) => ({ href: `#${id}`, name, label: errors[0]! }));
  const way = WAYS_ON[code];
  const waysOn = way && { href: toUrl(...way), label: text(`people.way_on.${code}` as TextKey) };
  return {
    tone: 'failure',
    title: text(`${reason}.title`),
    ...(errors.length === 0 && { text: text(`${reason}.text`, { duration: duration(seconds) }) }),
    links: waysOn === undefined ? errors : [waysOn],
  };
}

/** Says before a password is typed that it would be sent in clear (OWASP ASVS 5.0, 12.2.1). */
export const toPlainHttpNotice = ({ text }: LanguageTexts): Notice => ({
  ...{ tone: 'failure', title: text('page.plain_http.title'), text: text('page.plain_http.text') },
  links: [],
});

/** Pages that send another link. A change of the email is requested in the application. */
export const REQUEST_PATHS = {
  reset_password: '/account/reset-password',
  claim_account: '/account/reset-password',
  verify_email: '/account/verify-email',
  change_email: null,
} as const satisfies Record<LinkKind, string | null>;

/** By status, the title and the text for the holder of a link. A failure may come after the step. */
const TEMPORARY: Readonly<Record<number, readonly [title: TextKey, forHolder: TextKey]>> = {
  429: ['page.problem.too_many.title', 'page.problem.too_many.text'],
  500: ['page.problem.failed.title', 'page.problem.unsure'],
  503: ['page.problem.busy.title', 'page.problem.unsure'],
};

/** Returns the page of a problem: of a page without a link, or of the link of a message. */
export function toProblemPage(
  { texts: { text, duration }, toUrl }: NoticeContext,
  { code, status, options }: Problem,
  link: LinkKind | null,
) {
  const page = { tone: 'warn', notice: null } as const;
  if (status === 404 && link !== null) {
    const path = REQUEST_PATHS[link];
    return {
      ...page,
      title: text('page.problem.not_valid.title'),
      paragraphs: [text('page.problem.not_valid.text'), text(`page.${link}.not_valid`)],
      links: path === null ? [] : [{ href: toUrl(path), label: text('page.new_link'), isMain: true }],
    };
  }
  if (code === 'email_taken') {
    const title = text('page.problem.email_taken.title');
    return { ...page, title, paragraphs: [text('page.problem.email_taken.text')], links: [] };
  }
  const [title, forHolder] = TEMPORARY[status] ?? [];
  const { retryAfterSeconds: seconds } = options;
  const later =
    seconds === undefined
      ? text('page.problem.retry_later')
      : text('page.problem.retry_in', { duration: duration(seconds) });
  const advice = link === null ? [] : [text(forHolder ?? 'page.problem.other.text')];
  return {
    ...page,
    title: text(title ?? 'page.problem.other.title'),
    paragraphs: title === undefined ? advice : [later, ...advice],
    links: [{ href: '', label: text('page.try_again') }],
  };
}
