/** Adds passkeys to the account of the session, which is the browser of the ceremony. */
import { hashToken } from '../../../lib/secrets/tokens.ts';
import { Problem } from '../../../problems/problem.ts';
import { createPasskeyOptions } from '../../people/passkeys/begin-ceremony.ts';
import { addPasskey } from '../../people/passkeys/change-passkeys.ts';
import { findByCredentialId } from '../../people/passkeys/queries.ts';
import { requireRelyingParty } from '../../people/sign-in/relying-party.ts';
import type { Change } from './change-rule.ts';
import type { HostedPageDeps } from './hosted-pages.ts';
import { readCredential } from './passkey-pages.ts';

type OwnRequest = Pick<Change, 'session' | 'request'>;

const toCeremony = (deps: HostedPageDeps, { request, session }: OwnRequest) => ({
  relyingParty: requireRelyingParty(deps, request),
  binding: hashToken(session.id),
});

/** Shows the session the options of a new passkey. @throws Problem as `createPasskeyOptions` */
export async function beginPasskey(deps: HostedPageDeps, change: Change) {
  const passkey = await createPasskeyOptions(deps, change, toCeremony(deps, change));
  await deps.database.transaction((tx) => deps.shownOnce.keep(tx, change.session, { passkey }));
}

/**
 * Stores the passkey of the form. One that is sent again is that of the account already. The options are used up, whatever
 * the outcome. @throws Problem invalid_passkey, too_many_passkeys
 */
export async function addOwnPasskey(deps: HostedPageDeps, { session, request }: OwnRequest) {
  const { userId } = session;
  const credential = readCredential(request.body);
  try {
    await addPasskey(deps, { userId, credential, ...toCeremony(deps, { session, request }) });
  } catch (problem) {
    const own = await findByCredentialId(deps.database, String(credential.id));
    if (own?.user_id === userId) return;
    const isRejected = problem instanceof Problem && problem.code === 'validation_failed';
    throw isRejected ? new Problem('invalid_passkey') : problem;
  } finally {
    if ((await deps.shownOnce.find(session)).passkey) await deps.shownOnce.forget(session);
  }
}
