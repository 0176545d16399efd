/** What the page of the own account shows. */

import { listProviders } from '../../identity-providers/queries.ts';
import { listNamedIdentities } from '../../identity-providers/unlink-identity.ts';
import { listLiveTokens } from '../../tokens/queries.ts';
import { findCredentialsById, type UserRow } from '../../users/records/queries.ts';
import { listLiveSessions } from '../sessions/queries.ts';
import type { SignInSession } from '../sessions/sessions.ts';
import type { HostedPage, HostedPageDeps, PageContext, Section } from './hosted-pages.ts';
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
    twoStepSection(shown),
    ...(await identitySection(shown)),
    await deviceSection(shown),
    dataSection(shown),
  ];
  const links = [{ href: `${deps.basePath}/sign-out`, label: text('people.sign_out.action') }];
  return { title: text('people.account.title'), links, sections };
}

interface Shown extends HostedPageDeps, PageContext {
  readonly session: OwnSession;
  /** Fields of forms that need a proof. */
  readonly proof: readonly FieldName[];
}

/** A form that the person unfolds. */
const fold = (
  { forms }: Shown,
  form: { readonly path: string; readonly label: string; readonly fields: readonly FieldName[] },
) => createForm(forms, { ...form, isFolded: true });

function profileSection(shown: Shown): Section {
  const { texts, session, forms, proof } = shown;
  const { text, time } = texts;
  const { name, email, email_verified_at: verifiedAt } = session.user;
  const state =
    verifiedAt === null
      ? text('people.profile.unverified')
      : text('people.profile.verified', { time: time(verifiedAt) });
  return {
    id: 'profile',
    title: text('people.profile.title'),
    items: [{ id: 'own-email', title: email ?? '', text: state, form: null }],
    forms: [
      createForm(forms, {
        ...{ path: '/account/profile', label: text('people.profile.action'), fields: ['name'] },
        values: { name: name ?? '' },
      }),
      fold(shown, {
        path: '/account/email',
        label: text('people.email.action'),
        fields: ['email', ...proof],
      }),
    ],
    ...(verifiedAt === null && {
      links: [{ href: `${shown.basePath}/account/verify-email`, label: text('people.profile.verify') }],
    }),
  };
}

function passwordSection(shown: Shown): Section {
  const { text } = shown.texts;
  const action = text(shown.proof.length === 0 ? 'people.password.first' : 'people.password.action');
  return {
    id: 'password',
    title: text('people.field.password_title'),
    text: text('people.password.text'),
    forms: [fold(shown, { path: '/account/password', label: action, fields: [...shown.proof, 'password'] })],
  };
}

function twoStepSection(shown: Shown): Section {
  const { texts, session, proof } = shown;
  const { text, time } = texts;
  const { totp_enabled_at: enabledAt } = session.user;
  const section = { id: 'two-step', title: text('people.two_step.title') };
  if (enabledAt === null) {
    const forms = [
      fold(shown, { path: '/account/two-step', label: text('people.two_step.begin'), fields: proof }),
    ];
    return { ...section, text: text('people.two_step.text'), forms };
  }
  const path = '/account/two-step';
  return {
    ...section,
    text: text('people.two_step.on', { time: time(enabledAt) }),
    forms: [
      fold(shown, {
        path: `${path}/codes`,
        label: text('people.two_step.renew'),
        fields: [...proof, 'code'],
      }),
      fold(shown, { path: `${path}/off`, label: text('people.two_step.off'), fields: [...proof, 'code'] }),
    ],
  };
}

/** Returns no section where there is nothing to link. */
async function identitySection(shown: Shown): Promise<Section[]> {
  const { texts, session, forms, proof, database } = shown;
  const { text, time } = texts;
  const identities = await listNamedIdentities({ database }, session.userId);
  const providers = (await listProviders(database)).filter(({ enabled }) => enabled === 1);
  if (identities.length === 0 && providers.length === 0) return [];
  const items = identities.map(({ id, provider, issuer, email, last_used_at: usedAt }) => ({
    id: `identity-${id}`,
    title: provider ?? issuer,
    text: [email, text('people.device.used', { time: time(usedAt) })].filter(Boolean).join(' · '),
    form: createForm(forms, {
      ...{ path: `/account/identities/${id}/unlink`, label: text('people.identities.unlink'), fields: proof },
    }),
  }));
  const linked = new Set(identities.map(({ issuer }) => issuer));
  const others = providers.filter(({ issuer }) => !linked.has(issuer));
  const back = `${new URLSearchParams({ return_to: '/account' })}`;
  const links = others.map(({ id, name }) => ({
    ...fold(shown, {
      path: `/sign-in/with/${id}`,
      label: text('people.identities.link', { provider: name }),
      fields: proof,
    }),
    action: `${shown.basePath}/sign-in/with/${id}?${back}`,
  }));
  return [{ id: 'identities', title: text('people.identities.title'), items, forms: links }];
}

async function deviceSection({ texts, session, forms, database, clock }: Shown): Promise<Section> {
  const { text, time } = texts;
  const end = (path: string) => createForm(forms, { path, label: text('people.device.end'), fields: [] });
  const sessions = (await listLiveSessions(database, session.userId, clock())).map((row) => ({
    id: `session-${row.id}`,
    title: row.device ?? text('people.device.browser'),
    text: [
      row.id === session.id ? text('people.device.this') : null,
      row.network,
      text('people.device.used', { time: time(row.last_used_at) }),
    ]
      .filter(Boolean)
      .join(' · '),
    form: row.id === session.id ? null : end(`/account/sessions/${row.id}/end`),
  }));
  const tokens = (await listLiveTokens(database, session.userId, clock())).map((row) => ({
    id: `token-${row.id}`,
    title: row.name,
    text: [
      row.device,
      row.network,
      text('people.device.used', { time: time(row.last_used_at ?? row.created_at) }),
    ]
      .filter(Boolean)
      .join(' · '),
    form: end(`/account/tokens/${row.id}/revoke`),
  }));
  return { id: 'devices', title: text('people.device.title'), items: [...sessions, ...tokens] };
}

function dataSection(shown: Shown): Section {
  const { text } = shown.texts;
  return {
    id: 'data',
    title: text('people.data.title'),
    text: text('people.data.text'),
    links: [{ href: `${shown.basePath}/account/export`, label: text('people.data.export') }],
    forms: [fold(shown, { path: '/account/delete', label: text('people.data.delete'), fields: shown.proof })],
  };
}
