/** Types of events in words. */
import type { EventType } from '../../common/api-types.ts';

interface TypeText {
  /** What has happened, as in a list: `Password changed`. */
  readonly label: string;
  /** What somebody has done; `{}` is the subject. */
  readonly done: string;
  /** What users have done to their own account. */
  readonly doneBySelf?: string;
}

export const EVENT_TYPES: Readonly<Record<EventType, TypeText>> = {
  'login.succeeded': { label: 'Logged in', done: 'logged in as {}', doneBySelf: 'logged in' },
  'login.failed': { label: 'Login failed', done: 'tried to log in as {}', doneBySelf: 'tried to log in' },
  'user.created': { label: 'User created', done: 'created {}', doneBySelf: 'registered' },
  'user.updated': { label: 'User changed', done: 'changed {}', doneBySelf: 'changed their profile' },
  'user.disabled': { label: 'User disabled', done: 'disabled {}', doneBySelf: 'disabled their account' },
  'user.enabled': { label: 'User enabled', done: 'enabled {}', doneBySelf: 'enabled their account' },
  'user.claimed': {
    label: 'Account claimed',
    done: 'set the first password of {}',
    doneBySelf: 'claimed their account',
  },
  'user.erased': { label: 'User erased', done: 'erased {}', doneBySelf: 'erased their account' },
  'users.exported': { label: 'Users exported', done: 'exported users' },
  'events.exported': { label: 'Events exported', done: 'exported events' },
  'token.created': {
    label: 'Token created',
    done: 'created a token of {}',
    doneBySelf: 'created a token',
  },
  'token.rotated': {
    label: 'Token replaced',
    done: 'replaced a token of {}',
    doneBySelf: 'replaced a token',
  },
  'token.revoked': {
    label: 'Token revoked',
    done: 'revoked a token of {}',
    doneBySelf: 'revoked a token',
  },
  'password.changed': {
    label: 'Password changed',
    done: 'set the password of {}',
    doneBySelf: 'changed their password',
  },
  'password.reset': {
    label: 'Password reset',
    done: 'reset the password of {} by a link',
    doneBySelf: 'reset their password by a link',
  },
  'email.change_requested': {
    label: 'New email requested',
    done: 'requested a new email for {}',
    doneBySelf: 'requested a new email',
  },
  'email.changed': {
    label: 'Email changed',
    done: 'changed the email of {}',
    doneBySelf: 'changed their email',
  },
  'email.verified': {
    label: 'Email verified',
    done: 'verified the email of {}',
    doneBySelf: 'verified their email',
  },
  'link.requested': { label: 'Link requested', done: 'requested a message with a link for {}' },
  'link.sent': { label: 'Link sent', done: 'sent a message with a link to {}' },
  'mail.retried': { label: 'Message sent again', done: 'had a message sent again to {}' },
  'mail.cancelled': { label: 'Message cancelled', done: 'cancelled a message to {}' },
  'session.opened': { label: 'Signed in to the console', done: 'signed in to the console' },
  'session.closed': { label: 'Signed out of the console', done: 'signed out of the console' },
  'webhook.created': { label: 'Webhook created', done: 'created {}' },
  'webhook.updated': { label: 'Webhook changed', done: 'changed {}' },
  'webhook.disabled': { label: 'Webhook disabled', done: 'disabled {}' },
  'webhook.secret_rotated': { label: 'Webhook secret replaced', done: 'replaced the secret of {}' },
  'webhook.tested': { label: 'Webhook tested', done: 'sent a test to {}' },
  'webhook.delivery_retried': { label: 'Delivery retried', done: 'retried a delivery to {}' },
  'webhook.replayed': { label: 'Events replayed', done: 'had events delivered again to {}' },
  'webhook.deleted': { label: 'Webhook deleted', done: 'deleted {}' },
  'admin_token.rotated': {
    label: 'Administrator credential replaced',
    done: 'replaced the administrator credential',
  },
  'secret_key.accepted': {
    label: 'Secret key accepted',
    done: 'made the database accept another SECRET_KEY',
  },
  'statistics.recomputed': {
    label: 'Statistics corrected',
    done: 'had the figures of the overview corrected',
  },
  'credential.created': { label: 'Credential created', done: 'created {}' },
  'credential.rotated': { label: 'Credential rotated', done: 'replaced the secret of {}' },
  'credential.revoked': { label: 'Credential revoked', done: 'revoked {}' },
  'signing_key.rotated': { label: 'Signing key rotated', done: 'created the next key of JSON Web Tokens' },
  'credential.totp_enabled': {
    label: 'Two-step sign-in switched on',
    done: 'switched two-step sign-in on for {}',
  },
  'credential.totp_disabled': {
    label: 'Two-step sign-in removed',
    done: 'removed two-step sign-in from {}',
  },
  'credential.totp_failed': {
    label: 'Code of two-step sign-in rejected',
    done: 'sent a wrong code for {}',
  },
  'credential.recovery_code_used': { label: 'Recovery code used', done: 'used a recovery code of {}' },
  'credential.recovery_codes_replaced': {
    label: 'Recovery codes replaced',
    done: 'replaced the recovery codes of {}',
  },
  'settings.changed': { label: 'Settings changed', done: 'was started with other settings' },
};

/** More types may be added, and another node may be of a later release. */
export function getTypeText(type: string): TypeText {
  const known = Object.hasOwn(EVENT_TYPES, type) ? EVENT_TYPES[type as EventType] : undefined;
  const label = type.replace(/[._]/g, ' ');
  return known ?? { label, done: `caused “${label}”, {}` };
}

/** Reasons, in lists and as sentences. */
export const REASONS: Readonly<Record<string, readonly [string, string]>> = {
  unknown_email: ['no such email', 'There is no account with this email. It is not stored.'],
  wrong_password: ['wrong password', 'The password was wrong.'],
  disabled: ['account disabled', 'The account is disabled.'],
  unclaimed: ['no password yet', 'The account has no password yet: its user has to claim it by a link.'],
  unverified: ['email not verified', 'The email is not verified, which REQUIRE_VERIFIED_EMAIL demands.'],
  limited: ['too many attempts', 'There were too many attempts, so the password was not even compared.'],
  new_network: ['from a new network', 'The user had not logged in from this network before.'],
  logout: ['logout', 'The user logged out.'],
  several: ['several tokens', 'Several tokens were revoked at once.'],
  erasure: ['erasure begins', 'The erasure of the user has begun.'],
  gone: ['receiver is gone', 'The receiver responded with 410: it wants nothing more.'],
  failing: ['failed for five days', 'Nothing could be delivered for five days.'],
};
