/** What the page of the own account shows. */
import { listNamedIdentities } from '../../identity-providers/linking/link-identity.ts';
import { listEnabledProviders } from '../../identity-providers/queries.ts';
import { nameDevice } from '../../pages/hosted/device-name.ts';
import type { HostedPage, PageContext } from '../../pages/hosted/page.ts';
import { createForm } from '../../pages/hosted/page-forms.ts';
import type { Section } from '../../pages/hosted/parts.ts';
import { userFactors } from '../../people/second-factor/queries.ts';
import { listLiveSessions } from '../../people/sign-in/queries.ts';
import { LOGIN_TOKEN } from '../../people/tokens/issue-token.ts';
import { listLiveTokens } from '../../people/tokens/queries.ts';
import { CODES, type HostedPageDeps, TWO_STEP, toMark } from './hosted-pages.ts';
import { passkeySection } from './passkey-section.ts';
import { listProofFields, type OwnSession, profileSection, type Shown } from './profile-section.ts';

export async function accountView(
  deps: HostedPageDeps,
  context: PageContext,
  session: OwnSession,
): Promise<HostedPage> {
  const { user } = session;
  const proof = await listProofFields(deps, session);
  const form = (options: Parameters<typeof createForm>[1]) => createForm(context, options);
  const shown = { deps, context, session, proof, form };
  const { text } = context.texts;
  const sections = [
    await profileSection(shown),
    ...(hasPasswordSection(shown) ? [passwordSection(shown)] : []),
    ...(await passkeySection(shown)),
    await twoStepSection(shown),
    ...(await identitySection(shown)),
    await deviceSection(shown),
    dataSection(shown),
  ];
  const administration = { href: `${context.basePath}/console`, label: text('people.account.console') };
  const signOut = { href: context.toUrl('/sign-out'), label: text('people.sign_out.action') };
  const links = user.role === null ? [signOut] : [administration, signOut];
  return { title: text('people.account.title'), links, sections, timeZone: user.zoneinfo };
}

/** Whether the account has a password, or can get one for these pages. */
export const hasPasswordSection = ({ deps, proof }: Pick<Shown, 'deps' | 'proof'>) =>
  proof.length > 0 || deps.settings.current.passwordSignIn;

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
  const shown = await deps.shownOnce.find(session);
  if (enabledAt === null) {
    const label = text('people.two_step.begin');
    const action = shown.enrolment
      ? { href: context.toUrl(TWO_STEP), label }
      : form({ path: TWO_STEP, label, fields: proof });
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
        ...{ text: text('people.two_step.on', { time: time(enabledAt) }), at: enabledAt },
        action: form({
          ...{ path: `${TWO_STEP}/off`, label: text('people.two_step.off'), fields, isDanger: true },
        }),
      },
      {
        title: text('people.codes.name'),
        text: text('people.codes.left', { codes: codes ?? 0 }),
        action: shown.codes
          ? { href: context.toUrl(CODES), label: text('people.codes.show') }
          : form({ path: CODES, label: text('people.two_step.renew'), fields }),
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
    ...{ text: joinTexts([email, text('people.device.used', { time: time(usedAt) })]), at: usedAt },
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

async function deviceSection(shown: Shown): Promise<Section> {
  const { deps, context, session, form } = shown;
  const { text, time } = context.texts;
  const { database, clock } = deps;
  const end = (path: string) => form({ path, label: text('people.device.end'), fields: [] });
  const used = (at: number) => text('people.device.used', { time: time(at) });
  const sessions = (await listLiveSessions(database, session.userId, clock())).map((row) => ({
    title: nameDevice(context.texts, row.device) ?? text('people.device.browser'),
    ...{ text: joinTexts([row.network, used(row.last_used_at)]), at: row.last_used_at },
    ...(row.id === session.id
      ? { badge: { tone: 'note', label: text('people.device.this') } as const }
      : { action: end(`/account/sessions/${row.id}/end`) }),
  }));
  const tokens = (await listLiveTokens(database, session.userId, clock())).map((row) => {
    const at = row.last_used_at ?? row.created_at;
    const action = end(`/account/tokens/${row.id}/revoke`);
    const title = row.name === LOGIN_TOKEN ? text('people.device.program') : row.name;
    const device = nameDevice(context.texts, row.device);
    return { title, text: joinTexts([device, row.network, used(at)]), at, action };
  });
  const endOthers = { path: '/account/sessions/end-others', label: text('people.device.end_others') };
  const others = { text: text('people.device.others'), action: form({ ...endOthers, fields: [] }) };
  const rows = [...sessions, ...tokens, ...(sessions.length + tokens.length > 1 ? [others] : [])];
  const help = {
    text: text('people.device.unknown'),
    ...{ href: '#password', label: text('people.password.action') },
  };
  const title = text('people.device.title');
  return { id: 'devices', title, rows, ...(hasPasswordSection(shown) && { help }) };
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
