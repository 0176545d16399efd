/** Forms of the hosted pages, with their errors, and the reasons why they were rejected. */

import { RECENT_SIGN_IN_MINUTES } from '../../../callers/admin-scopes.ts';
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import type { Problem } from '../../../problems/problem.ts';
import type { MemberErrors } from '../../../problems/validation-failed.ts';
import { presentedPassword, totpCode } from '../../people/accounts/totp-schemas.ts';
import type { PasswordPolicy } from '../../people/sign-in/password-policy.ts';
import type { TextKey } from '../../texts/language-file.ts';
import type { LanguageTexts } from '../../texts/language-texts.ts';
import { email, name, password, text } from '../../users/records/member-schemas.ts';

/** `current_password`: the one that the account has, also where a person signs in. */
const FIELDS = {
  name: { type: 'text', autocomplete: 'name', schema: name },
  email: { type: 'email', autocomplete: 'username', schema: email },
  current_password: { type: 'password', autocomplete: 'current-password', schema: presentedPassword },
  password: { type: 'password', autocomplete: 'new-password', schema: password },
  code: { type: 'text', autocomplete: 'one-time-code', schema: totpCode },
  mail_code: { type: 'text', autocomplete: 'one-time-code', schema: text },
} as const;

export interface PageLink {
  readonly href: string;
  readonly label: string;
}

export type FieldName = keyof typeof FIELDS;
export type FormValues = Readonly<Partial<Record<FieldName, string>>>;

/** Returns the schema of a form. An account without a password sends no current one. */
export function formSchema(names: readonly FieldName[]) {
  const properties: Record<string, JsonSchema> = {};
  for (const name of names) properties[name] = FIELDS[name].schema;
  return {
    type: 'object',
    required: names.filter((name) => name !== 'current_password'),
    properties,
  } as const satisfies JsonSchema;
}

/** What was sent to a form, and why it was rejected. */
export interface SentForm {
  /** Path of the form. */
  readonly path: string;
  readonly values: FormValues;
  readonly errors: MemberErrors;
}

export interface FormContext {
  readonly texts: LanguageTexts;
  readonly passwordPolicy: Pick<PasswordPolicy, 'kind' | 'minLength'>;
  readonly basePath: string;
  /** Added to the paths of forms. */
  readonly query: string;
  readonly sent: SentForm | null;
}

export type PageForm = ReturnType<typeof createForm>;

/** `values`: shown until the form is sent. Passwords and codes are not shown again. */
export function createForm(
  context: FormContext,
  {
    path,
    fields,
    values = {},
    codeLabel,
    ...form
  }: {
    readonly path: string;
    readonly label: string;
    readonly fields: readonly FieldName[];
    readonly values?: FormValues;
    readonly isMain?: boolean;
    readonly isDanger?: boolean;
    /** Whether it is another way, below a line. */
    readonly isApart?: boolean;
    /** Above the form. */
    readonly text?: string;
    /** Beside the last field. */
    readonly help?: PageLink;
    /** The label of the field `code`. */
    readonly codeLabel?: string;
  },
) {
  const { texts, passwordPolicy, basePath, query } = context;
  const sent = context.sent?.path === path ? context.sent : null;
  const { minLength } = passwordPolicy;
  const toField = (name: FieldName) => {
    const { type, autocomplete } = FIELDS[name];
    const isShown = name === 'name' || name === 'email';
    const messages = sent?.errors[name] ?? [];
    const rules = texts.text(`page.password.rules.${passwordPolicy.kind}`, { min: minLength });
    return {
      ...{ name, type, autocomplete, id: `${path.slice(1).replaceAll('/', '-')}-${name}` },
      label: (name === 'code' && codeLabel) || texts.text(`people.field.${name}`),
      value: isShown ? (sent?.values[name] ?? values[name] ?? '') : '',
      errors: messages.map((message) => translateError(name, message, { texts, minLength })),
      hint: name === 'password' ? rules : undefined,
    };
  };
  return { ...form, isSent: sent !== null, action: basePath + path + query, fields: fields.map(toField) };
}

function translateError(
  name: FieldName,
  message: string,
  { texts, minLength }: { readonly texts: LanguageTexts; readonly minLength: number },
): string {
  if (name === 'email' || name === 'password')
    return translateFieldError(message, { field: name, minLength }, texts);
  return texts.text(`people.wrong.${name}`);
}

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

/** Returns a message of the API in the language of the page. */
export function translateFieldError(
  message: string,
  /** The schema of the API may require fewer characters than `minLength`. */
  { field, minLength = 0 }: { readonly field: 'password' | 'email'; readonly minLength?: number },
  { text }: LanguageTexts,
): string {
  if (/is required\.$/.test(message)) return text('field.required', { field });
  if (/too common/.test(message)) return text('field.too_common');
  if (/valid email address/.test(message)) return text('field.not_email', { field });
  const [, bound, limit, unit] = /(at least|greater than) (\d+) (characters|bytes)\.$/.exec(message) ?? [];
  if (bound === 'at least')
    return text('field.too_short', { field, limit: Math.max(Number(limit), minLength) });
  if (bound !== undefined) return text('field.too_long', { field, limit: Number(limit), unit: unit! });
  return text('field.not_valid', { field });
}
