/** The section of the own account with name and email, and what all sections depend on. */
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import { listZoneChoices } from '../../../lib/text/time-zones.ts';
import { requestedEmail } from '../../mail/links/queries.ts';
import { nameLanguage, type PageContext } from '../../pages/hosted/page.ts';
import { type createForm, type FieldName, formSchema } from '../../pages/hosted/page-forms.ts';
import type { Section } from '../../pages/hosted/parts.ts';
import type { SignInSession } from '../../people/sign-in/sessions.ts';
import type { LanguageTexts } from '../../texts/language-file.ts';
import { locale, zoneinfo } from '../../users/records/member-schemas.ts';
import { findCredentialsById, type UserRow } from '../../users/records/queries.ts';
import type { HostedPageDeps } from './hosted-pages.ts';

export type OwnSession = SignInSession & { readonly user: UserRow };

export interface Shown {
  readonly deps: HostedPageDeps;
  readonly context: PageContext;
  readonly session: OwnSession;
  /** Fields of forms that need a proof. */
  readonly proof: readonly FieldName[];
  readonly form: (options: Parameters<typeof createForm>[1]) => ReturnType<typeof createForm>;
}

/** Returns the fields of a proof: an account without a password proves itself by a recent sign-in. */
export async function listProofFields(
  { database }: Pick<HostedPageDeps, 'database'>,
  { userId }: Pick<OwnSession, 'userId'>,
): Promise<readonly FieldName[]> {
  const credentials = await findCredentialsById(database, userId);
  return credentials?.password_hash === null ? [] : ['current_password'];
}

export async function profileSection({ deps, context, session, proof, form }: Shown): Promise<Section> {
  const { texts, toUrl } = context;
  const { text, time } = texts;
  const { name, email, email_verified_at: verifiedAt } = session.user;
  const isVerified = verifiedAt !== null;
  const unverified = {
    text: text('people.profile.unverified'),
    action: { href: toUrl('/account/verify-email'), label: text('people.profile.verify') },
  };
  const requested = await requestedEmail.find(deps.database, session.userId, deps.clock());
  return {
    id: 'profile',
    title: text('people.profile.title'),
    form: form({
      ...{ path: '/account/profile', label: text('people.profile.action'), fields: ['name'] },
      ...{ values: { name: name ?? '' }, selects: profileSelects(deps, texts, session.user), isMain: true },
    }),
    rows: [
      {
        title: email ?? '',
        badge: isVerified
          ? { tone: 'good', label: text('people.profile.is_verified') }
          : { tone: 'warn', label: text('people.profile.is_unverified') },
        ...(isVerified && {
          text: text('people.profile.verified', { time: time(verifiedAt) }),
          at: verifiedAt,
        }),
        action: form({
          ...{ path: '/account/email', label: text('people.email.action'), fields: ['email', ...proof] },
        }),
      },
      ...(isVerified ? [] : [unverified]),
      ...(requested === undefined ? [] : [toRequestedRow(requested, context.texts, form)]),
    ],
  };
}

/** What a list sends if neither language nor time zone is chosen. */
export const NONE = '-';

const profileForm = formSchema(['name']);
/** Forms have no empty members. */
export const PROFILE_BODY = {
  ...profileForm,
  properties: {
    ...profileForm.properties,
    locale: { anyOf: [{ const: NONE }, locale] },
    zoneinfo: { anyOf: [{ const: NONE }, zoneinfo] },
  },
} as const satisfies JsonSchema;

/** Returns the lists of languages and time zones. What is set stays, also without texts, or under an older name. */
function profileSelects(
  { texts: { languages } }: HostedPageDeps,
  { text }: LanguageTexts,
  { locale, zoneinfo }: UserRow,
) {
  const toSelect = (name: 'locale' | 'zoneinfo', value: string | null, options: readonly string[]) => {
    const all = new Set(value === null ? options : [...options, value]);
    const named = Array.from(all, (each) => [each, name === 'locale' ? nameLanguage(each) : each] as const);
    const none = [NONE, text(`people.${name}.none`)] as const;
    return { name, label: text(`people.field.${name}`), value: value ?? NONE, options: [none, ...named] };
  };
  return [toSelect('locale', locale, languages), toSelect('zoneinfo', zoneinfo, listZoneChoices(null))];
}

/** Returns the row of the address that waits to be confirmed. It is the same whether or not another account has it. */
function toRequestedRow(
  { email, until }: { readonly email: string; readonly until: number },
  { text, time }: LanguageTexts,
  form: Shown['form'],
) {
  return {
    title: email,
    badge: { tone: 'warn', label: text('people.email.waits') } as const,
    ...{ text: text('people.email.until', { time: time(until) }), at: until },
    action: form({ path: '/account/email/send-again', label: text('people.email.again'), fields: [] }),
    other: form({ path: '/account/email/cancel', label: text('people.email.cancel'), fields: [] }),
  };
}
