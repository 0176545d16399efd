/** Types of events. Stored and public: a type never changes its meaning. The pages import them as well. `types/` has their texts. */
import type { EventText } from './types/event-text.ts';
import { CONNECTION_EVENTS, FORM_EVENTS, MAIL_EVENTS } from './types/record-events.ts';
import { SERVICE_EVENTS } from './types/service-events.ts';
import { USER_EVENTS } from './types/user-events.ts';

/** The types in groups, as the console offers them. */
export const EVENT_GROUPS = {
  'Users and sign-in': USER_EVENTS,
  Messages: MAIL_EVENTS,
  'Applications, identity providers, webhooks and groups': CONNECTION_EVENTS,
  'The service': SERVICE_EVENTS,
  Forms: FORM_EVENTS,
} as const;

type Groups = typeof EVENT_GROUPS;
export type EventType = { [Name in keyof Groups]: keyof Groups[Name] }[keyof Groups];

export const EVENT_TYPES: Readonly<Record<EventType, EventText>> = Object.assign(
  {},
  ...Object.values(EVENT_GROUPS),
);

export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as readonly EventType[];

export const OUTCOMES = ['success', 'failure'] as const;
export type EventOutcome = (typeof OUTCOMES)[number];

export type LoginFailure =
  | 'unknown_email'
  | 'wrong_password'
  | 'disabled'
  | 'unclaimed'
  | 'no_password'
  | 'wrong_code'
  | 'wrong_email_code'
  | 'unverified'
  | 'limited'
  | 'identity_provider'
  | 'passkey';

/**
 * `failure`: something did not work, as the outcome of most failures says. `destruction`: something is gone for good.
 * `intervention`: somebody's account or access was changed, if an administrator has caused the event.
 */
export type Consequence = 'failure' | 'destruction' | 'intervention';

/** Events of other types are usual. */
export const CONSEQUENCES: Readonly<Partial<Record<EventType, Consequence>>> = {
  'webhook.disabled': 'failure',
  'account.taken_over': 'destruction',
  'application.deleted': 'destruction',
  'backup.restored': 'destruction',
  'credential.revoked': 'destruction',
  'form.deleted': 'destruction',
  'group.deleted': 'destruction',
  'identity_provider.deleted': 'destruction',
  'submission.deleted': 'destruction',
  'user.erased': 'destruction',
  'webhook.deleted': 'destruction',
  'account.unlocked': 'intervention',
  'admin_token.rotated': 'intervention',
  'credential.created': 'intervention',
  'credential.rotated': 'intervention',
  'credential.totp_disabled': 'intervention',
  'email.changed': 'intervention',
  'group.member_added': 'intervention',
  'group.member_removed': 'intervention',
  'identity.unlinked': 'intervention',
  'passkey.removed': 'intervention',
  'password.changed': 'intervention',
  'secret_key.accepted': 'intervention',
  'session.ended': 'intervention',
  'signing_key.rotated': 'intervention',
  'token.revoked': 'intervention',
  'token.rotated': 'intervention',
  'totp.disabled': 'intervention',
  'user.disabled': 'intervention',
  'user.enabled': 'intervention',
  'user.updated': 'intervention',
};
