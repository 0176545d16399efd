/** Types of events about users. */
import type { EventText } from './event-text.ts';
import { SIGN_IN_EVENTS } from './sign-in-events.ts';

export const USER_EVENTS = {
  'login.succeeded': {
    meaning: 'A user signed in and got a token.',
    label: 'Signed in',
    done: 'signed in as {}',
    doneBySelf: 'signed in',
    perHour: 20,
  },
  'login.failed': {
    meaning: 'A sign-in was rejected; `reason` says why.',
    label: 'Sign-in failed',
    sentence: 'Sign-in failed for {}',
    perHour: 10,
  },
  'session.created': {
    meaning: 'A user signed in with a browser. `details.amr` says how (RFC 8176).',
    label: 'Signed in with a browser',
    done: 'signed in as {} with a browser',
    doneBySelf: 'signed in with a browser',
    perHour: 20,
  },
  'session.ended': {
    meaning:
      'A user signed out of a browser, or its session was ended; `details.sessions` says how many were, if all.',
    label: 'Signed out of a browser',
    done: 'ended a session of {}',
    doneBySelf: 'signed out of a browser',
    perHour: 20,
  },
  'totp.enabled': {
    meaning: 'A user switched two-step sign-in on: each sign-in needs a code.',
    label: 'Two-step sign-in of a user switched on',
    done: 'switched two-step sign-in on for {}',
    doneBySelf: 'switched two-step sign-in on',
  },
  'totp.disabled': {
    meaning: 'The second factor of a user was removed, by the user or the administrator.',
    label: 'Two-step sign-in of a user removed',
    done: 'removed two-step sign-in from {}',
    doneBySelf: 'switched two-step sign-in off',
  },
  'totp.recovery_code_used': {
    meaning:
      'A user sent a recovery code instead of a code of the app; `details.left` says how many are left.',
    label: 'Recovery code of a user used',
    done: 'used a recovery code of {}',
    doneBySelf: 'used a recovery code',
  },
  'totp.recovery_codes_replaced': {
    meaning: 'A user got new recovery codes; those before are not accepted any more.',
    label: 'Recovery codes of a user replaced',
    done: 'replaced the recovery codes of {}',
    doneBySelf: 'replaced the recovery codes',
  },
  'identity.linked': {
    meaning: 'A user can now sign in with an account at an identity provider; `details.provider` names it.',
    label: 'Identity linked',
    done: 'linked an identity to {}',
    doneBySelf: 'linked an identity',
  },
  'identity.unlinked': {
    meaning: 'A user can no longer sign in with an account at the identity provider `details.issuer`.',
    label: 'Identity unlinked',
    done: 'unlinked an identity of {}',
    doneBySelf: 'unlinked an identity',
  },
  ...SIGN_IN_EVENTS,
  'group.member_added': {
    meaning: 'A user was added to a group; `details` has its `group_id` and `name`.',
    label: 'Added to a group',
    done: 'added {} to the group “{name}”',
  },
  'group.member_removed': {
    meaning:
      'A user was removed from a group, and tokens of applications were deleted that are not for them any more; `details` has `group_id` and `name`. Not recorded for the members of a group that is deleted.',
    label: 'Removed from a group',
    done: 'removed {} from the group “{name}”',
  },
  'account.taken_over': {
    meaning:
      'The owner of an email that was never verified has proved it with an identity provider, and said that somebody else has created the account: it is erased, and a new one with the email is created.',
    label: 'Account taken over by the owner of its email',
    done: 'took over the email of {}',
  },
  'account.unlocked': {
    meaning: 'The administrator let a user sign in again whom failed sign-ins had locked out.',
    label: 'Account unlocked',
    done: 'unlocked {}',
  },
  'user.created': {
    meaning:
      'A user record was created: by registration, by an anonymous caller, by the administrator or an import.',
    label: 'User created',
    done: 'created {}',
    doneBySelf: 'registered',
  },
  'user.updated': {
    meaning: 'Members of a user record were changed; `changes` names them.',
    label: 'User changed',
    done: 'changed {}',
    doneBySelf: 'changed their profile',
    perHour: 60,
  },
  'user.disabled': {
    meaning: 'A user was disabled, and all of their tokens revoked.',
    label: 'User disabled',
    done: 'disabled {}',
    doneBySelf: 'disabled their account',
  },
  'user.enabled': {
    meaning: 'A disabled user was enabled again.',
    label: 'User enabled',
    done: 'enabled {}',
    doneBySelf: 'enabled their account',
  },
  'user.claimed': {
    meaning: 'An unclaimed account was claimed: its user set a first password, or signed in without one.',
    label: 'Account claimed',
    done: 'claimed the account of {}',
    doneBySelf: 'claimed their account',
  },
  'user.merged': {
    meaning:
      'A user took over what another one had (`details.from` has the id), who is erased: `user.erased` follows about that one. `changes` names the members of the record that were replaced.',
    label: 'Users merged',
    done: 'merged another account into {}',
  },
  'user.erased': {
    meaning: 'A user was erased. The last event of its subject.',
    label: 'User erased',
    done: 'erased {}',
    doneBySelf: 'erased their account',
  },
  'users.exported': {
    meaning:
      'The administrator exported user records; `details.with_password_hashes` says whether with their hashes.',
    label: 'Users exported',
    done: 'exported users',
  },
  'token.created': {
    meaning: 'A user created a token for a program or a device.',
    label: 'Token created',
    done: 'created a token of {}',
    doneBySelf: 'created a token',
    perHour: 20,
  },
  'token.rotated': {
    meaning: 'A token was replaced by another one.',
    label: 'Token replaced',
    done: 'replaced a token of {}',
    doneBySelf: 'replaced a token',
    perHour: 20,
  },
  'token.reused': {
    meaning:
      'A refresh token was used again after it had been replaced: somebody may have copied it. All tokens of the program (`details.token_id`) were revoked.',
    label: 'Refresh token used twice',
    done: 'used a refresh token of {} twice',
  },
  'token.revoked': {
    meaning: 'One token or several tokens of a user were revoked, or the user signed out.',
    label: 'Token revoked',
    done: 'revoked a token of {}',
    doneBySelf: 'revoked a token',
    perHour: 20,
  },
  'password.changed': {
    meaning: 'A password was changed by its user or set by the administrator.',
    label: 'Password changed',
    done: 'set the password of {}',
    doneBySelf: 'changed their password',
  },
  'password.reset': {
    meaning: 'A password was reset by a link.',
    label: 'Password reset',
    done: 'reset the password of {} by a link',
    doneBySelf: 'reset their password by a link',
  },
  'email.change_requested': {
    meaning: 'A user requested to change their email.',
    label: 'New email requested',
    done: 'requested a new email for {}',
    doneBySelf: 'requested a new email',
  },
  'email.changed': {
    meaning: 'The email of a user was changed.',
    label: 'Email changed',
    done: 'changed the email of {}',
    doneBySelf: 'changed their email',
  },
  'email.verified': {
    meaning: 'A user has proved access to their email.',
    label: 'Email verified',
    done: 'verified the email of {}',
    doneBySelf: 'verified their email',
  },
} as const satisfies Readonly<Record<string, EventText>>;
