/** What the page of the own account shows. */
import { listNamedIdentities } from '../../identity-providers/linking/link-identity.ts';
import { listEnabledProviders } from '../../identity-providers/queries.ts';
import { type HostedPage, nameLanguage, type PageContext, type Section } from '../../pages/hosted/page.ts';
import { createForm, type FieldName } from '../../pages/hosted/page-forms.ts';
import { userFactors } from '../../people/second-factor/queries.ts';
import { listLiveSessions } from '../../people/sign-in/queries.ts';
import type { SignInSession } from '../../people/sign-in/sessions.ts';
import { listLiveTokens } from '../../people/tokens/queries.ts';
import type { LanguageTexts } from '../../texts/language-texts.ts';
import { findCredentialsById, type UserRow } from '../../users/records/queries.ts';
import { type HostedPageDeps, toMark } from './hosted-pages.ts';

export type OwnSession = SignInSession & { readonly user: UserRow };

export async function accountView(
  deps: HostedPageDeps,
  context: PageContext,
  session: OwnSession,
): Promise<HostedPage> {
  const { user } = session;
  const credentials = await findCredentialsById(deps.database, user.id);
  // An account without a password proves itself by a recent sign-in.
  const proof: readonly FieldName[] = credentials?.password_hash === null ? [] : ['current_password'];
  const form = (options: Parameters<typeof createForm>[1]) => createForm(context, options);
  const shown = { deps, context, session, proof, form };
  const { text } = context.texts;
  const sections = [
    profileSection(shown),
    passwordSection(shown),
    await twoStepSection(shown),
    ...(await identitySection(shown)),
    await deviceSection(shown),
    dataSection(shown),
  ];
  const administration = { href: `${context.basePath}/console`, label: text('people.account.console') };
  const signOut = { href: context.toUrl('/sign-out'), label: text('people.sign_out.action') };
  const links = user.role === null ? [signOut] : [administration, signOut];
  return { title: text('people.account.title'), links, sections };
}

interface Shown {
  readonly deps: HostedPageDeps;
  readonly context: PageContext;
  readonly session: OwnSession;
  /** Fields of forms that need a proof. */
  readonly proof: readonly FieldName[];
  readonly form: (options: Parameters<typeof createForm>[1]) => ReturnType<typeof createForm>;
}

function profileSection({ deps, context: { texts, toUrl }, session, proof, form }: Shown): Section {
  const { text, time } = texts;
  const { name, email, email_verified_at: verifiedAt } = session.user;
  const isVerified = verifiedAt !== null;
  const unverified = {
    text: text('people.profile.unverified'),
    action: { href: toUrl('/account/verify-email'), label: text('people.profile.verify') },
  };
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
        ...(isVerified && { text: text('people.profile.verified', { time: time(verifiedAt) }) }),
        action: form({
          ...{ path: '/account/email', label: text('people.email.action'), fields: ['email', ...proof] },
        }),
      },
      ...(isVerified ? [] : [unverified]),
    ],
  };
}

/** What a list sends if neither language nor time zone is chosen. */
export const NONE = '-';

/** Returns the lists of languages and time zones. What is set stays, also without texts, or under an older name. */
function profileSelects(
  { texts: { languages } }: HostedPageDeps,
  { text }: LanguageTexts,
  { locale, zoneinfo }: UserRow,
) {
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')];
  const toSelect = (name: 'locale' | 'zoneinfo', value: string | null, options: readonly string[]) => {
    const all = new Set(value === null ? options : [...options, value]);
    const named = Array.from(all, (each) => [each, name === 'locale' ? nameLanguage(each) : each] as const);
    const none = [NONE, text(`people.${name}.none`)] as const;
    return { name, label: text(`people.field.${name}`), value: value ?? NONE, options: [none, ...named] };
  };
  return [toSelect('locale', locale, languages), toSelect('zoneinfo', zoneinfo, zones)];
}

function passwordSection({ context, session, form, proof }: Shown): Section {
  const { text } = context.texts;
  const label = text(proof.length === 0 ? 'people.password.first' : 'people.password.action');
  const fields = [...proof, 'password'] as const;
  const username = session.user.email ?? '';
  const action = form({ path: '/account/password', label, fields, username });
  const title = text('people.field.password_title');
  return { id: 'password', title, rows: [{ text: text('people.password.text'), action }] };
}

async function twoStepSection({ deps, context, session, proof, form }: Shown): Promise<Section> {
  const { text, time } = context.texts;
  const { id: userId, totp_enabled_at: enabledAt } = session.user;
  const section = { id: 'two-step', title: text('people.two_step.title') };
  const path = '/account/two-step';
  if (enabledAt === null) {
    const action = form({ path, label: text('people.two_step.begin'), fields: proof });
    return { ...section, rows: [{ text: text('people.two_step.text'), action }] };
  }
  const fields = [...proof, 'code'] as const;
  const codes = await userFactors.countCodes(deps.database, userId);
  return {
    ...section,
    badge: { tone: 'good', label: text('people.two_step.is_on') },
    rows: [
      {
        title: text('people.two_step.app'),
        text: text('people.two_step.on', { time: time(enabledAt) }),
        action: form({
          ...{ path: `${path}/off`, label: text('people.two_step.off'), fields, isDanger: true },
        }),
      },
      {
        title: text('people.codes.name'),
        text: text('people.codes.left', { codes: codes ?? 0 }),
        action: form({ path: `${path}/codes`, label: text('people.two_step.renew'), fields }),
      },
    ],
  };
}

/** Returns no section where there is nothing to link. */
async function identitySection({ deps, context, session, form, proof }: Shown): Promise<Section[]> {
  const { text, time } = context.texts;
  const { database } = deps;
  const identities = await listNamedIdentities({ database }, session.userId);
  const providers = await listEnabledProviders(database);
  if (identities.length === 0 && providers.length === 0) return [];
  const linked = new Set(identities.map(({ issuer }) => issuer));
  const rows = identities.map(({ id, provider, issuer, email, last_used_at: usedAt }) => ({
    title: provider ?? issuer,
    text: joinTexts([email, text('people.device.used', { time: time(usedAt) })]),
    action: form({
      ...{ path: `/account/identities/${id}/unlink`, label: text('people.identities.unlink'), fields: proof },
    }),
  }));
  const others = providers
    .filter(({ issuer }) => !linked.has(issuer))
    .map(({ id, name }) => {
      const path = `/sign-in/with/${id}`;
      const link = form({ path, label: text('people.identities.link'), fields: proof });
      const action = { ...link, action: context.toUrl(path, { return_to: '/account' }) };
      return { title: name, text: text('people.identities.unlinked'), action };
    });
  const marked = [...rows, ...others].map((row) => ({ ...row, mark: toMark(row.title) }));
  return [{ id: 'identities', title: text('people.identities.title'), rows: marked }];
}

async function deviceSection({ deps, context, session, form }: Shown): Promise<Section> {
  const { text, time } = context.texts;
  const { database, clock } = deps;
  const end = (path: string) => form({ path, label: text('people.device.end'), fields: [] });
  const used = (at: number) => text('people.device.used', { time: time(at) });
  const sessions = (await listLiveSessions(database, session.userId, clock())).map((row) => ({
    title: row.device ?? text('people.device.browser'),
    text: joinTexts([row.network, used(row.last_used_at)]),
    ...(row.id === session.id
      ? { badge: { tone: 'note', label: text('people.device.this') } as const }
      : { action: end(`/account/sessions/${row.id}/end`) }),
  }));
  const tokens = (await listLiveTokens(database, session.userId, clock())).map((row) => ({
    title: row.name,
    text: joinTexts([row.device, row.network, used(row.last_used_at ?? row.created_at)]),
    action: end(`/account/tokens/${row.id}/revoke`),
  }));
  const help = {
    text: text('people.device.unknown'),
    ...{ href: '#password', label: text('people.password.action') },
  };
  return { id: 'devices', title: text('people.device.title'), rows: [...sessions, ...tokens], help };
}

const joinTexts = (texts: readonly (string | null)[]) => texts.filter(Boolean).join(' · ');

function dataSection({ context, form, proof }: Shown): Section {
  const { text } = context.texts;
  return {
    id: 'data',
    title: text('people.data.title'),
    rows: [
      {
        title: text('people.data.all'),
        text: text('people.data.all_text'),
        action: { href: `${context.basePath}/account/export`, label: text('people.data.export') },
      },
      {
        title: text('people.data.delete'),
        text: text('people.data.text'),
        action: form({
          ...{ path: '/account/delete', label: text('people.data.delete'), fields: proof, isDanger: true },
        }),
      },
    ],
  };
}
