/** Types of events. Stored and public: a type never changes its meaning. */

/** What each type reports. */
export const EVENT_TYPES = {
  'user.created':
    'A user record was created: by registration, by an anonymous caller, by the administrator or an import.',
  'user.updated': 'Members of a user record were changed; `changes` names them.',
  'user.disabled': 'A user was disabled, and all of their tokens revoked.',
  'user.enabled': 'A disabled user was enabled again.',
  'user.claimed': 'An unclaimed account got its first password.',
  'user.erased': 'A user was erased. The last event of its subject.',
  'users.exported':
    'The administrator exported user records; `details.with_password_hashes` says whether with their hashes.',
  'events.exported': 'The administrator exported events.',
  'login.succeeded': 'A user logged in and got a token.',
  'login.failed': 'A login was rejected; `reason` says why.',
  'token.created': 'A user created a token for a program or a device.',
  'token.rotated': 'A token was replaced by another one.',
  'token.revoked': 'One token or several tokens of a user were revoked, or the user logged out.',
  'password.changed': 'A password was changed by its user or set by the administrator.',
  'password.reset': 'A password was reset by a link.',
  'email.change_requested': 'A user requested to change their email.',
  'email.changed': 'The email of a user was changed.',
  'email.verified': 'A user has proved access to their email.',
  'link.requested':
    'The administrator requested a message with a link for a user; `details.kind` says what for.',
  'link.sent': 'A message with a link was accepted by the mail server; `details.kind` says what for.',
  'mail.retried':
    'The administrator had a message sent now or once more: `details` has its id and kind. Without a subject of a user: all queued messages.',
  'mail.cancelled':
    'The administrator cancelled a message before it was sent; `details` has its id and kind.',
  'session.opened': 'An administrator signed in to the console.',
  'session.closed': 'An administrator signed out of the console.',
  'webhook.created': 'A webhook was created. It receives the events after this one.',
  'webhook.updated': 'Settings of a webhook were changed; `changes` names them.',
  'webhook.disabled':
    'The service has disabled a webhook; `reason` is `gone` (the receiver responded with 410) or `failing` (for five days).',
  'webhook.secret_rotated': 'The secret of a webhook was replaced.',
  'webhook.tested': 'The administrator requested a test of a webhook.',
  'webhook.delivery_retried': 'The administrator requested another attempt of a delivery.',
  'webhook.replayed': 'The administrator requested earlier events again; `details.events` has their number.',
  'webhook.deleted': 'A webhook was deleted. The last event of its subject.',
  'admin_token.rotated': 'The administrator credential in the data directory was replaced.',
  'secret_key.accepted': 'The administrator made the database accept another `SECRET_KEY`.',
  'statistics.recomputed': 'The administrator had the figures of the dashboard corrected.',
  'settings.changed':
    'Settings were changed by the administrator, or the service was started with others than before; `changes` has them.',
  'signing_key.rotated':
    'The next key of JSON Web Tokens was created; `details` has its id, when it signs, and whether the keys before it were revoked.',
  'credential.created': 'A credential of an administrator was created; `details` has its name and scopes.',
  'credential.rotated': 'The secret of a credential was replaced.',
  'credential.totp_enabled':
    'A credential got a second factor: its sign-in to the console demands a code, and nothing else accepts it.',
  'credential.totp_disabled': 'The second factor of a credential was removed, by its holder or an owner.',
  'credential.totp_failed':
    'A code was rejected that was sent with the right credential: at the sign-in to the console, or for a change of the second factor.',
  'credential.recovery_code_used':
    'A recovery code was used instead of a code of the app; `details.left` says how many are left.',
  'credential.recovery_codes_replaced':
    'A credential got new recovery codes; those before are not accepted any more.',
  'credential.revoked': 'A credential was revoked. The last event of its subject.',
} as const;

export type EventType = keyof typeof EVENT_TYPES;

export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as readonly EventType[];

export const OUTCOMES = ['success', 'failure'] as const;
export type EventOutcome = (typeof OUTCOMES)[number];

/** Why a login failed. */
export type LoginFailure =
  | 'unknown_email'
  | 'wrong_password'
  | 'disabled'
  | 'unclaimed'
  | 'unverified'
  | 'limited';

/**
 * Events of these types can be caused at any rate. So many of one cause are recorded one by one within an hour; the
 * others are counted, and recorded as one event at the end of the hour.
 */
export const RECORDED_PER_HOUR: Readonly<Partial<Record<EventType, number>>> = {
  'login.succeeded': 20,
  'login.failed': 10,
  'token.created': 20,
  'token.rotated': 20,
  'token.revoked': 20,
  'user.updated': 60,
  'users.exported': 60,
  'events.exported': 60,
  'credential.totp_failed': 10,
  'webhook.tested': 60,
  'webhook.delivery_retried': 60,
  'webhook.replayed': 60,
};
