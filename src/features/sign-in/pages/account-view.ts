/** What the page of the own account shows. */
import { listNamedIdentities } from '../../identity-providers/linking/link-identity.ts';
import { listEnabledProviders } from '../../identity-providers/queries.ts';
import { userFactors } from '../../second-factor/queries.ts';
import { listLiveTokens } from '../../tokens/queries.ts';
import { findCredentialsById, type UserRow } from '../../users/records/queries.ts';
import { listLiveSessions } from '../sessions/queries.ts';
import type { SignInSession } from '../sessions/sessions.ts';
import {
  type HostedPage,
  type HostedPageDeps,
  type PageContext,
  type Section,
  toMark,
} from './hosted-pages.ts';
import { createForm, type FieldName } from './page-forms.ts';

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
  const shown = { ...deps, ...context, session, proof };
  const { text } = context.texts;
  const sections = [
    profileSection(shown),
    passwordSection(shown),
    await twoStepSection(shown),
    ...(await identitySection(shown)),
    await deviceSection(shown),
    dataSection(shown),
  ];
  const administration = { href: `${deps.basePath}/console`, label: text('people.account.console') };
  const signOut = { href: `${deps.basePath}/sign-out`, label: text('people.sign_out.action') };
  const links = user.role === null ? [signOut] : [administration, signOut];
  return { title: text('people.account.title'), links, sections };
}

interface Shown extends HostedPageDeps, PageContext {
  readonly session: OwnSession;
  /** Fields of forms that need a proof. */
  readonly proof: readonly FieldName[];
}

function profileSection({ texts, session, forms, proof, basePath }: Shown): Section {
  const { text, time } = texts;
  const { name, email, email_verified_at: verifiedAt } = session.user;
  const isVerified = verifiedAt !== null;
  const unverified = {
    text: text('people.profile.unverified'),
    action: { href: `${basePath}/account/verify-email`, label: text('people.profile.verify') },
  };
  return {
    id: 'profile',
    title: text('people.profile.title'),
    form: createForm(forms, {
      ...{ path: '/account/profile', label: text('people.profile.action'), fields: ['name'] },
      ...{ values: { name: name ?? '' }, isMain: true },
    }),
    rows: [
      {
        title: email ?? '',
        badge: isVerified
          ? { tone: 'good', label: text('people.profile.is_verified') }
          : { tone: 'warn', label: text('people.profile.is_unverified') },
        ...(isVerified && { text: text('people.profile.verified', { time: time(verifiedAt) }) }),
        action: createForm(forms, {
          ...{ path: '/account/email', label: text('people.email.action'), fields: ['email', ...proof] },
        }),
      },
      ...(isVerified ? [] : [unverified]),
    ],
  };
}

function passwordSection({ texts: { text }, forms, proof }: Shown): Section {
  const label = text(proof.length === 0 ? 'people.password.first' : 'people.password.action');
  const action = createForm(forms, { path: '/account/password', label, fields: [...proof, 'password'] });
  const title = text('people.field.password_title');
  return { id: 'password', title, rows: [{ text: text('people.password.text'), action }] };
}

async function twoStepSection({ texts, session, proof, forms, database }: Shown): Promise<Section> {
  const { text, time } = texts;
  const { id: userId, totp_enabled_at: enabledAt } = session.user;
  const section = { id: 'two-step', title: text('people.two_step.title') };
  const path = '/account/two-step';
  if (enabledAt === null) {
    const action = createForm(forms, { path, label: text('people.two_step.begin'), fields: proof });
    return { ...section, rows: [{ text: text('people.two_step.text'), action }] };
  }
  const fields = [...proof, 'code'] as const;
  const codes = await userFactors.countCodes(database, userId);
  return {
    ...section,
    badge: { tone: 'good', label: text('people.two_step.is_on') },
    rows: [
      {
        title: text('people.two_step.app'),
        text: text('people.two_step.on', { time: time(enabledAt) }),
        action: createForm(forms, {
          ...{ path: `${path}/off`, label: text('people.two_step.off'), fields, isDanger: true },
        }),
      },
      {
        title: text('people.codes.name'),
        text: text('people.codes.left', { codes: codes ?? 0 }),
        action: createForm(forms, { path: `${path}/codes`, label: text('people.two_step.renew'), fields }),
      },
    ],
  };
}

/** Returns no section where there is nothing to link. */
async function identitySection({
  texts,
  session,
  forms,
  proof,
  database,
  basePath,
}: Shown): Promise<Section[]> {
  const { text, time } = texts;
  const identities = await listNamedIdentities({ database }, session.userId);
  const providers = await listEnabledProviders(database);
  if (identities.length === 0 && providers.length === 0) return [];
  const linked = new Set(identities.map(({ issuer }) => issuer));
  const rows = identities.map(({ id, provider, issuer, email, last_used_at: usedAt }) => ({
    title: provider ?? issuer,
    text: joinTexts([email, text('people.device.used', { time: time(usedAt) })]),
    action: createForm(forms, {
      ...{ path: `/account/identities/${id}/unlink`, label: text('people.identities.unlink'), fields: proof },
    }),
  }));
  const others = providers
    .filter(({ issuer }) => !linked.has(issuer))
    .map(({ id, name }) => {
      const path = `/sign-in/with/${id}`;
      const form = createForm(forms, { path, label: text('people.identities.link'), fields: proof });
      const action = { ...form, action: `${basePath}${path}?return_to=%2Faccount` };
      return { title: name, text: text('people.identities.unlinked'), action };
    });
  const marked = [...rows, ...others].map((row) => ({ ...row, mark: toMark(row.title) }));
  return [{ id: 'identities', title: text('people.identities.title'), rows: marked }];
}

async function deviceSection({ texts, session, forms, database, clock }: Shown): Promise<Section> {
  const { text, time } = texts;
  const end = (path: string) => createForm(forms, { path, label: text('people.device.end'), fields: [] });
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

function dataSection({ texts: { text }, forms, proof, basePath }: Shown): Section {
  return {
    id: 'data',
    title: text('people.data.title'),
    rows: [
      {
        title: text('people.data.all'),
        text: text('people.data.all_text'),
        action: { href: `${basePath}/account/export`, label: text('people.data.export') },
      },
      {
        title: text('people.data.delete'),
        text: text('people.data.text'),
        action: createForm(forms, {
          ...{ path: '/account/delete', label: text('people.data.delete'), fields: proof, isDanger: true },
        }),
      },
    ],
  };
}
