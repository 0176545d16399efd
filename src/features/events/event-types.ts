/** Types of events. Stored and public: a type never changes its meaning. The pages import them as well. */

import { CONNECTION_EVENTS } from './types/connection-events.ts';
import type { EventText } from './types/event-text.ts';
import { FORM_EVENTS } from './types/form-events.ts';
import { MAIL_EVENTS } from './types/mail-events.ts';
import { SERVICE_EVENTS } from './types/service-events.ts';
import { USER_EVENTS } from './types/user-events.ts';

/** The types in groups, as the console offers them. */
export const EVENT_GROUPS = {
  'Users and sign-in': USER_EVENTS,
  Messages: MAIL_EVENTS,
  'Applications, identity providers and webhooks': CONNECTION_EVENTS,
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

/** Why a login failed. */
export type LoginFailure =
  | 'unknown_email'
  | 'wrong_password'
  | 'disabled'
  | 'unclaimed'
  | 'no_password'
  | 'wrong_code'
  | 'unverified'
  | 'limited'
  | 'identity_provider';
