/** Changes of the own account that forms of its page make. */
import type { Tx } from '../../../database/database.ts';
import { Problem } from '../../../problems/problem.ts';
import { unlinkOwnIdentity } from '../../identity-providers/linking/link-identity.ts';
import { cancelEmailChange, repeatEmailChange } from '../../people/accounts/change-email.ts';
import { changePassword } from '../../people/accounts/change-password.ts';
import { changeProfile } from '../../people/accounts/change-profile.ts';
import * as totp from '../../people/accounts/change-totp.ts';
import { removeOwnPasskey, renamePasskey } from '../../people/passkeys/change-passkeys.ts';
import { eraseAccount } from '../../people/personal-data/erase-user.ts';
import type { Admitted } from '../../people/sign-in/gate.ts';
import { requireProof } from '../../people/sign-in/require-proof.ts';
import { endOtherSessions, revokeToken } from '../../people/tokens/revoke-tokens.ts';
import { hasPasswordSection } from './account-view.ts';
import type { Change, ChangeRule } from './change-rule.ts';
import { CODES, type HostedPageDeps, TWO_STEP } from './hosted-pages.ts';
import { addOwnPasskey, beginPasskey, CREDENTIAL_BODY } from './passkey-pages.ts';
import { NEW_PASSKEY } from './passkey-section.ts';
import { listProofFields, NONE, type OwnSession, PROFILE_BODY } from './profile-section.ts';

const keepCodes =
  ({ shownOnce }: HostedPageDeps, session: OwnSession) =>
  (tx: Tx, codes: readonly string[]) =>
    shownOnce.keep(tx, session, { codes });

/** By the path of their form below `/account`. */
export const CHANGES: Readonly<Record<string, ChangeRule>> = {
  profile: {
    ...{ fields: ['name'], body: PROFILE_BODY },
    change(deps, change) {
      const { name, locale, zoneinfo } = change.values as Readonly<Partial<Record<string, string>>>;
      return writeProfile(deps, change, {
        name: name!,
        ...(locale !== undefined && { locale: toMember(locale) }),
        ...(zoneinfo !== undefined && { zoneinfo: toMember(zoneinfo) }),
      });
    },
  },
  email: {
    ...{ fields: ['email', 'current_password'], done: 'mailed' },
    change(deps, change) {
      const { currentPassword, values } = change;
      const proof = currentPassword ? { current_password: currentPassword } : {};
      return writeProfile(deps, change, { email: values.email, ...proof });
    },
  },
  'email/send-again': {
    ...{ fields: [], done: 'mailed' },
    change: (deps, { session }) => repeatEmailChange(deps, session.userId),
  },
  'email/cancel': { fields: [], change: (deps, { session }) => cancelEmailChange(deps, session.userId) },
  password: { fields: ['current_password', 'password'], change: replacePassword },
  'two-step': {
    ...{ fields: ['current_password'], shows: 'enrolment', next: TWO_STEP },
    change: (deps, change) =>
      totp.beginTotp(deps, change, (tx, enrolment) => deps.shownOnce.keep(tx, change.session, { enrolment })),
  },
  'two-step/confirm': {
    ...{ fields: ['code'], repeated: 'totp_already_enabled', shows: 'codes', next: CODES },
    change: (deps, { user, clientIp, session, values: { code } }) =>
      totp.confirmTotp(deps, { user, clientIp, code }, keepCodes(deps, session)),
  },
  'two-step/codes': {
    ...{ fields: ['current_password', 'code'], shows: 'codes', next: CODES },
    change: (deps, change) =>
      totp.renewRecoveryCodes(deps, { ...change, code: change.values.code }, keepCodes(deps, change.session)),
  },
  'two-step/codes/saved': {
    fields: [],
    change: ({ shownOnce }, { session }) => shownOnce.forget(session),
  },
  'two-step/off': {
    ...{ fields: ['current_password', 'code'], repeated: 'totp_not_enabled' },
    change: (deps, change) => totp.disableTotp(deps, { ...change, code: change.values.code }),
  },
  'identities/:id/unlink': {
    ...{ fields: ['current_password'], repeated: 'identity_not_found' },
    change: (deps, change) => unlinkOwnIdentity(deps, change, change.id),
  },
  passkeys: {
    ...{ fields: ['current_password'], shows: 'passkey', next: NEW_PASSKEY },
    change: beginPasskey,
  },
  'passkeys/add': { fields: [], body: CREDENTIAL_BODY, change: addOwnPasskey },
  'passkeys/:id/rename': {
    fields: ['passkey_name'],
    change: (deps, { id, session: { userId }, values }) =>
      renamePasskey(deps, { userId, id, name: values.passkey_name }),
  },
  'passkeys/:id/remove': {
    ...{ fields: ['current_password'], repeated: 'passkey_not_found' },
    change: (deps, change) => removeOwnPasskey(deps, change, change.id),
  },
  'sessions/:id/end': {
    fields: [],
    change: ({ database, signInSessions }, { id, session: { userId } }) =>
      database.transaction((tx) => signInSessions.end(tx, { id, userId })),
  },
  'sessions/end-others': { fields: [], change: (deps, { session }) => endOtherSessions(deps, session) },
  'tokens/:id/revoke': {
    ...{ fields: [], repeated: 'token_not_found' },
    change: (deps, { id, session }) => revokeToken(deps, id, session.userId),
  },
  delete: {
    ...{ fields: ['current_password'], isErasure: true },
    async change(deps, change) {
      await eraseAccount(deps, change);
      change.cookies.push(deps.signInSessions.expiredCookie(change.request.headers));
    },
  },
};

const toMember = (value: string) => (value === NONE ? null : value);

function writeProfile(
  deps: HostedPageDeps,
  change: Change,
  changes: Parameters<typeof changeProfile>[1]['changes'],
): Promise<unknown> {
  const once = { redirectTo: null, isExpected: () => true, countLogin: async () => {} };
  return changeProfile(deps, { ...change, changes, ...once });
}

/**
 * A form that is sent again has the password that was replaced, and the new one is that of the account. If it was sent
 * before the first had done so, its session has ended meanwhile: it gets the new one as well.
 */
async function replacePassword(deps: HostedPageDeps, change: Change): Promise<void> {
  const proof = await listProofFields(deps, change.session);
  if (!hasPasswordSection({ deps, proof })) throw new Problem('not_found');
  const { password: currentPassword } = change.values;
  try {
    await writePassword(deps, change);
  } catch (problem) {
    if (!(problem instanceof Problem) || !hasWrongPassword(problem)) throw problem;
    const isNew = requireProof(deps, { ...change, currentPassword }, async () => true);
    await isNew.catch(() => Promise.reject(problem));
    const cookie = await deps.signInSessions.findStarted(change.request);
    if (cookie !== undefined) change.cookies.push(cookie);
  }
}

const hasWrongPassword = ({ options: { errors } }: Problem) =>
  errors !== undefined && 'current_password' in errors;

/** All sessions end; this browser gets a new one in the same transaction. */
async function writePassword(deps: HostedPageDeps, change: Change): Promise<void> {
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
  change.cookies.push(cookie);
}
