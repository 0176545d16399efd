/** Forms of pages, and again with their errors. */
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import type { Problem } from '../../../problems/problem.ts';
import type { MemberErrors } from '../../../problems/validation-failed.ts';
import { presentedPassword, totpCode } from '../../people/accounts/totp-schemas.ts';
import { passkeyName } from '../../people/passkeys/passkey.ts';
import type { PasswordPolicy } from '../../people/sign-in/password-policy.ts';
import type { LanguageTexts } from '../../texts/language-file.ts';
import { email, name, password, text } from '../../users/records/member-schemas.ts';

/** `current_password`: the one that the account has, also where a person signs in. */
const FIELDS = {
  name: { type: 'text', autocomplete: 'name', schema: name },
  email: { type: 'email', autocomplete: 'username', schema: email },
  current_password: { type: 'password', autocomplete: 'current-password', schema: presentedPassword },
  password: { type: 'password', autocomplete: 'new-password', schema: password },
  code: { type: 'text', autocomplete: 'one-time-code', schema: totpCode },
  mail_code: { type: 'text', autocomplete: 'one-time-code', schema: text },
  user_code: { type: 'text', autocomplete: 'off', schema: text },
  passkey_name: { type: 'text', autocomplete: 'off', schema: passkeyName },
} as const;

export interface PageLink {
  readonly href: string;
  readonly label: string;
  readonly isMain?: boolean;
}

export type FieldName = keyof typeof FIELDS;
export type FormValues = Readonly<Partial<Record<FieldName, string>>>;

interface PageSelect {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}

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
interface SentForm {
  readonly path: string;
  readonly values: FormValues;
  readonly errors: MemberErrors;
}

/** Reads a body that was rejected: only texts, and no passwords, whose fields do not show them. */
export function readSentForm(
  body: unknown,
  { problem, path }: { readonly problem: Problem; readonly path: string },
): SentForm {
  const { name, email } = (body ?? {}) as Readonly<Partial<Record<FieldName, unknown>>>;
  const { errors } = problem.options;
  return {
    path,
    values: { ...(typeof name === 'string' && { name }), ...(typeof email === 'string' && { email }) },
    errors: errors === undefined || Array.isArray(errors) ? {} : (errors as MemberErrors),
  };
}

export interface FormContext {
  readonly texts: LanguageTexts;
  readonly passwordPolicy: Pick<PasswordPolicy, 'kind' | 'minLength'>;
  readonly basePath: string;
  readonly query: string;
  readonly sent: SentForm | null;
}

export type PageForm = ReturnType<typeof createForm>;

export const hasPassword = ({ fields }: PageForm) => fields.some(({ type }) => type === 'password');

/** `values`: shown until the form is sent. Passwords and codes are not shown again. */
export function createForm(
  context: FormContext,
  {
    path,
    fields,
    values = {},
    appCodeLabel,
    other,
    ...form
  }: {
    /** Null: that of the page, which has no other form. */
    readonly path: string | null;
    readonly label: string;
    readonly fields: readonly FieldName[];
    readonly values?: FormValues;
    readonly isMain?: boolean;
    readonly isDanger?: boolean;
    /** Whether it is another way, below a line. */
    readonly isApart?: boolean;
    /** Another button, which sends the fields to another path; `action`: with another query. */
    readonly other?: { readonly path: string; readonly label: string; readonly action?: string };
    /** Above the form. */
    readonly text?: string;
    /** Beside the last field. */
    readonly help?: PageLink;
    /** The address of the account whose password the form sets: password managers store both. */
    readonly username?: string;
    /** The label of the field `code`, where only an app has the code: recovery codes have letters. */
    readonly appCodeLabel?: string;
    /** Below the fields; the first option is none. */
    readonly selects?: readonly PageSelect[];
    /** Parameters that are sent without a field. */
    readonly hidden?: readonly (readonly [name: string, value: string | undefined])[];
  },
) {
  const { texts, passwordPolicy, basePath, query } = context;
  const isOwn = path === null || context.sent?.path === path || context.sent?.path === other?.path;
  const sent = isOwn ? context.sent : null;
  const { minLength } = passwordPolicy;
  const rules = texts.text(`page.password.rules.${passwordPolicy.kind}`, { min: minLength });
  const toField = (name: FieldName) => {
    const { type, autocomplete } = FIELDS[name];
    const isShown = ['name', 'email', 'user_code', 'passkey_name'].includes(name);
    const messages = sent?.errors[name] ?? [];
    return {
      ...{
        name,
        type,
        autocomplete,
        id: path === null ? name : `${path.slice(1).replaceAll('/', '-')}-${name}`,
      },
      label: (name === 'code' && appCodeLabel) || texts.text(`people.field.${name}`),
      value: isShown ? (sent?.values[name] ?? values[name] ?? '') : '',
      errors: messages.map((message) => translateError(name, message, { texts, minLength })),
      ...(name === 'code' && appCodeLabel && { inputMode: 'numeric' }),
      ...(name === 'mail_code' && { inputMode: 'text' }),
      ...(name === 'password' && { minLength, hint: rules }),
    };
  };
  const action = path === null ? null : basePath + path + query;
  const otherButton = other && {
    label: other.label,
    action: other.action ?? basePath + other.path + query,
  };
  const shown = { isSent: sent !== null, action, otherButton, fields: fields.map(toField) };
  return { hidden: [], selects: [], ...form, ...shown };
}

/** Returns a message of the API, which is part of its contract (decision 0006), in the language of the page. */
function translateError(
  field: FieldName,
  message: string,
  { texts: { text }, minLength }: { readonly texts: LanguageTexts; readonly minLength: number },
): string {
  if (field !== 'email' && field !== 'password') return text(`people.wrong.${field}`);
  if (/is required\.$/.test(message)) return text('field.required', { field });
  if (/too common/.test(message)) return text('field.too_common');
  if (/valid email address/.test(message)) return text('field.not_email', { field });
  const [, bound, limit, unit] = /(at least|greater than) (\d+) (characters|bytes)\.$/.exec(message) ?? [];
  // The schema of the API may require fewer characters than the policy.
  if (bound === 'at least')
    return text('field.too_short', { field, limit: Math.max(Number(limit), minLength) });
  if (bound !== undefined) return text('field.too_long', { field, limit: Number(limit), unit: unit! });
  return text('field.not_valid', { field });
}
