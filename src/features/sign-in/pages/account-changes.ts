/** Changes of the own account that forms of its page make. */

import type { Tx } from '../../../database/database.ts';
import { Problem } from '../../../problems/problem.ts';
import { unlinkOwnIdentity } from '../../identity-providers/linking/link-identity.ts';
import { cancelEmailChange, repeatEmailChange } from '../../people/accounts/change-email.ts';
import { changePassword } from '../../people/accounts/change-password.ts';
import { changeProfile } from '../../people/accounts/change-profile.ts';
import {
  beginTotp,
  confirmTotp,
  disableTotp,
  renewRecoveryCodes,
} from '../../people/accounts/change-totp.ts';
import { removeOwnPasskey, renamePasskey } from '../../people/passkeys/change-passkeys.ts';
import { eraseAccount } from '../../people/personal-data/erase-user.ts';
import type { Admitted } from '../../people/sign-in/gate.ts';
import { requireProof } from '../../people/sign-in/require-proof.ts';
import { endOtherSessions, revokeToken } from '../../people/tokens/revoke-tokens.ts';
import type { Change, Changed, ChangeRule } from './change-rule.ts';
import { CODES, type HostedPageDeps, TWO_STEP } from './hosted-pages.ts';
import { addOwnPasskey, beginPasskey } from './passkey-changes.ts';
import { CREDENTIAL_BODY } from './passkey-pages.ts';
import { NEW_PASSKEY } from './passkey-section.ts';
import { NONE, type OwnSession, PROFILE_BODY } from './profile-section.ts';

const keepCodes =
  ({ shownOnce }: HostedPageDeps, session: OwnSession) =>
  (tx: Tx, codes: readonly string[]) =>
    shownOnce.keep(tx, session, { codes });

/** By the path of their form below `/account`. */
export const CHANGES: Readonly<Record<string, ChangeRule>> = {
  profile: {
    ...{ fields: ['name'], body: PROFILE_BODY },
    async change(deps, change) {
      const { name, locale, zoneinfo } = change.values as Readonly<Partial<Record<string, string>>>;
      const changes = {
        name: name!,
        ...(locale !== undefined && { locale: toMember(locale) }),
        ...(zoneinfo !== undefined && { zoneinfo: toMember(zoneinfo) }),
      };
      await writeProfile(deps, change, changes);
      // The page follows the account, not the language that was chosen before.
      return { isLanguage: locale !== undefined };
    },
  },
  email: {
    fields: ['email', 'current_password'],
    async change(deps, change) {
      const { email } = change.values;
      const changes = { email, ...(change.currentPassword && { current_password: change.currentPassword }) };
      await writeProfile(deps, change, changes);
      return { isMailed: true };
    },
  },
  'email/send-again': {
    fields: [],
    async change(deps, { session }) {
      await repeatEmailChange(deps, session.userId);
      return { isMailed: true };
    },
  },
  'email/cancel': {
    fields: [],
    async change(deps, { session }) {
      await cancelEmailChange(deps, session.userId);
      return {};
    },
  },
  password: { fields: ['current_password', 'password'], change: replacePassword },
  'two-step': {
    ...{ fields: ['current_password'], shows: 'enrolment', next: TWO_STEP },
    async change(deps, change) {
      await beginTotp(deps, change, (tx, enrolment) =>
        deps.shownOnce.keep(tx, change.session, { enrolment }),
      );
      return {};
    },
  },
  'two-step/confirm': {
    ...{ fields: ['code'], repeated: 'totp_already_enabled', shows: 'codes', next: CODES },
    async change(deps, { user, clientIp, session, values: { code } }) {
      await confirmTotp(deps, { user, clientIp, code }, keepCodes(deps, session));
      return {};
    },
  },
  'two-step/codes': {
    ...{ fields: ['current_password', 'code'], shows: 'codes', next: CODES },
    async change(deps, change) {
      const proof = { ...change, code: change.values.code };
      await renewRecoveryCodes(deps, proof, keepCodes(deps, change.session));
      return {};
    },
  },
  'two-step/codes/saved': {
    fields: [],
    async change({ shownOnce }, { session }) {
      await shownOnce.forget(session);
      return {};
    },
  },
  'two-step/off': {
    ...{ fields: ['current_password', 'code'], repeated: 'totp_not_enabled' },
    async change(deps, change) {
      await disableTotp(deps, { ...change, code: change.values.code });
      return {};
    },
  },
  'identities/:id/unlink': {
    ...{ fields: ['current_password'], repeated: 'identity_not_found' },
    async change(deps, change) {
      await unlinkOwnIdentity(deps, change, change.id);
      return {};
    },
  },
  passkeys: {
    ...{ fields: ['current_password'], shows: 'passkey', next: NEW_PASSKEY },
    change: beginPasskey,
  },
  'passkeys/add': { fields: [], body: CREDENTIAL_BODY, change: addOwnPasskey },
  'passkeys/:id/rename': {
    ...{ fields: ['passkey_name'] },
    async change(deps, { id, session: { userId }, values }) {
      await renamePasskey(deps, { userId, id, name: values.passkey_name });
      return {};
    },
  },
  'passkeys/:id/remove': {
    ...{ fields: ['current_password'], repeated: 'passkey_not_found' },
    async change(deps, change) {
      await removeOwnPasskey(deps, change, change.id);
      return {};
    },
  },
  'sessions/:id/end': {
    fields: [],
    async change({ database, signInSessions }, { id, session: { userId } }) {
      await database.transaction((tx) => signInSessions.end(tx, { id, userId }));
      return {};
    },
  },
  'sessions/end-others': {
    fields: [],
    async change(deps, { session }) {
      await endOtherSessions(deps, session);
      return {};
    },
  },
  'tokens/:id/revoke': {
    ...{ fields: [], repeated: 'token_not_found' },
    async change(deps, { id, session }) {
      await revokeToken(deps, id, session.userId);
      return {};
    },
  },
  delete: {
    fields: ['current_password'],
    async change(deps, change) {
      await eraseAccount(deps, change);
      return { isErased: true, cookie: deps.signInSessions.expiredCookie(change.request.headers) };
    },
  },
};

const toMember = (value: string) => (value === NONE ? null : value);

async function writeProfile(
  deps: HostedPageDeps,
  change: Change,
  changes: Parameters<typeof changeProfile>[1]['changes'],
): Promise<Changed> {
  const once = { redirectTo: null, isExpected: () => true, countLogin: async () => {} };
  await changeProfile(deps, { ...change, changes, ...once });
  return {};
}

/** A form that is sent again has the password that was replaced, and the new one is that of the account. */
async function replacePassword(deps: HostedPageDeps, change: Change): Promise<Changed> {
  const { password: currentPassword } = change.values;
  try {
    return await writePassword(deps, change);
  } catch (problem) {
    if (!(problem instanceof Problem) || !hasWrongPassword(problem)) throw problem;
    const isNew = requireProof(deps, { ...change, currentPassword }, async () => ({}));
    return isNew.catch(() => Promise.reject(problem));
  }
}

const hasWrongPassword = ({ options: { errors } }: Problem) =>
  errors !== undefined && 'current_password' in errors;

/** All sessions end; this browser gets a new one in the same transaction. */
async function writePassword(deps: HostedPageDeps, change: Change): Promise<Changed> {
  const { session, request, values } = change;
  let cookie = '';
  await changePassword(deps, {
    ...change,
    password: values.password,
    async onStored(tx, user) {
      const { amr, authenticatedAt } = session;
      const admitted: Admitted = { user, amr, authenticatedAt };
      ({ cookie } = await deps.signInSessions.start(tx, admitted, request));
    },
  });
  return { cookie };
}
