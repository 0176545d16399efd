/** Forms of the hosted pages, with their errors. */
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import type { MemberErrors } from '../../../problems/validation-failed.ts';
import { translateFieldError } from '../../pages/account-pages/field-errors.ts';
import { presentedPassword, totpCode } from '../../people/accounts/totp-schemas.ts';
import type { PasswordPolicy } from '../../people/sign-in/password-policy.ts';
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
