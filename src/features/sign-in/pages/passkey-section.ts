/** The section of the own account with passkeys, and the page on which one is added. */
import type { HostedPage, PageContext } from '../../pages/hosted/page.ts';
import { createForm } from '../../pages/hosted/page-forms.ts';
import type { Section } from '../../pages/hosted/parts.ts';
import { toDestination } from '../../pages/hosted/way.ts';
import type { PasskeyRow } from '../../people/passkeys/passkey.ts';
import { findByCredentialId, listPasskeys } from '../../people/passkeys/queries.ts';
import { getRpId } from '../../people/sign-in/relying-party.ts';
import type { HostedPageDeps } from './hosted-pages.ts';
import { getPageRpId } from './passkey-pages.ts';
import { listProofFields, type OwnSession, type Shown } from './profile-section.ts';

/** Paths below the account. */
export const PASSKEYS = '/account/passkeys';
export const NEW_PASSKEY = `${PASSKEYS}/new`;

/** Returns no section where passkeys are off and there are none. */
export async function passkeySection(shown: Shown): Promise<Section[]> {
  const { deps, context, session, proof, form } = shown;
  const { text } = context.texts;
  const passkeys = await listPasskeys(deps.database, session.userId);
  const rpId = getPageRpId(deps, context);
  if (passkeys.length === 0 && !deps.settings.current.passkeySignIn) return [];
  const add = form({ path: PASSKEYS, label: text('people.passkeys.add'), fields: proof });
  const adding = {
    text: text(passkeys.length === 0 ? 'people.passkeys.none' : 'people.passkeys.text'),
    action: add,
  };
  return [
    {
      ...{ id: 'passkeys', title: text('people.passkeys.title') },
      rows: [
        ...passkeys.map((passkey) => toRow(shown, passkey)),
        rpId === null ? explainAbsence(deps, context) : adding,
      ],
      ...(rpId !== null && { unsupported: text('people.passkey.unsupported') }),
      accepted: rpId === null ? undefined : await toAccepted(deps, { rpId, passkeys }),
    },
  ];
}

function toRow(
  { context, form, proof }: Shown,
  { id, name, backed_up, created_at, last_used_at }: PasskeyRow,
) {
  const { text, time } = context.texts;
  const path = (verb: string) => `${PASSKEYS}/${id}/${verb}`;
  const rename = {
    path: path('rename'),
    label: text('people.passkeys.rename'),
    values: { passkey_name: name },
  };
  const remove = { path: path('remove'), label: text('people.passkeys.remove'), isDanger: true };
  const made = text('people.passkeys.made', { time: time(created_at) });
  const used = last_used_at !== null && text('people.device.used', { time: time(last_used_at) });
  return {
    title: name,
    ...(backed_up === 1 && { badge: { tone: 'note', label: text('people.passkeys.synced') } as const }),
    text: [made, used].filter(Boolean).join(' · '),
    at: last_used_at === null ? created_at : [created_at, last_used_at],
    action: form({ ...rename, fields: ['passkey_name'] }),
    other: form({ ...remove, fields: proof }),
  };
}

async function toOfferPage(deps: HostedPageDeps, context: PageContext, session: OwnSession) {
  const { text } = context.texts;
  const label = text('people.passkeys.add');
  const fields = await listProofFields(deps, session);
  return {
    title: label,
    paragraphs: [text('people.passkeys.offer')],
    forms: [createForm(context, { path: PASSKEYS, label, fields, isMain: true })],
    links: [{ href: toDestination(context), label: text('people.passkeys.not_now') }],
  };
}

/** Says which address has passkeys: the one at which the service listens on this machine, or none. */
function explainAbsence(deps: HostedPageDeps, { texts: { text }, host }: PageContext) {
  if (!deps.settings.current.passkeySignIn) return { text: text('people.passkeys.off') };
  if (getRpId(deps) === null) return { text: text('people.passkeys.no_domain') };
  const [port = ''] = /:\d+$/.exec(host) ?? [];
  const url = `http://localhost${port}`;
  return {
    text: text('people.passkeys.elsewhere', { url }),
    action: { href: `${url}/account`, label: text('people.passkeys.open') },
  };
}

/** Returns undefined for an empty list: with it, browsers would delete all passkeys of the user. */
async function toAccepted(
  { database }: HostedPageDeps,
  { rpId, passkeys }: { readonly rpId: string; readonly passkeys: readonly PasskeyRow[] },
) {
  const ids = passkeys.filter((passkey) => passkey.rp_id === rpId).map((passkey) => passkey.credential_id);
  const first = ids[0] === undefined ? undefined : await findByCredentialId(database, ids[0]);
  return first && { rpId, userId: first.handle, allAcceptedCredentialIds: ids };
}

/**
 * Returns the page on which the browser makes a passkey, or the one that asks for the proof, if the session has not given
 * it, or some time ago; null where there are no passkeys.
 */
export async function toNewPasskeyPage(
  deps: HostedPageDeps,
  context: PageContext,
  session: OwnSession,
): Promise<HostedPage | null> {
  if (getPageRpId(deps, context) === null) return null;
  const { passkey: creation } = await deps.shownOnce.find(session);
  const { text } = context.texts;
  if (creation === undefined) return toOfferPage(deps, context, session);
  return {
    title: text('people.passkeys.add'),
    paragraphs: [text('people.passkeys.how')],
    passkey: {
      ...{ action: context.toUrl(`${PASSKEYS}/add`), creation, label: text('people.passkeys.make') },
      failed: text('people.passkeys.not_made'),
      excluded: text('people.passkeys.excluded'),
      unsupported: text('people.passkey.unsupported'),
    },
    links: [{ href: context.toUrl('/account'), label: text('people.account.back') }],
  };
}
