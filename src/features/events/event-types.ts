/** Types of events. Stored and public: a type never changes its meaning. The pages import them as well. */

import { CONNECTION_EVENTS } from './types/connection-events.ts';
import type { EventText } from './types/event-text.ts';
import { FORM_EVENTS } from './types/form-events.ts';
import { MAIL_EVENTS } from './types/mail-events.ts';
import { SERVICE_EVENTS } from './types/service-events.ts';
import { USER_EVENTS } from './types/user-events.ts';

const TYPES = {
  ...USER_EVENTS,
  ...MAIL_EVENTS,
  ...CONNECTION_EVENTS,
  ...SERVICE_EVENTS,
  ...FORM_EVENTS,
} as const;

export type EventType = keyof typeof TYPES;

export const EVENT_TYPES: Readonly<Record<EventType, EventText>> = TYPES;

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
