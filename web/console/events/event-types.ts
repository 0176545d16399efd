/** Types of events in words. */

import { EVENT_TYPES, type EventType } from '../../../src/features/events/event-types.ts';
import type { EventText } from '../../../src/features/events/types/event-text.ts';

/** More types may be added, and another node may be of a later release. */
export function getTypeText(type: string): Omit<EventText, 'meaning'> {
  if (Object.hasOwn(EVENT_TYPES, type)) return EVENT_TYPES[type as EventType];
  const label = type.replace(/[._]/g, ' ');
  return { label, done: `caused “${label}”, {}` };
}

/** Reasons, in lists and as sentences. */
export const REASONS: Readonly<Record<string, readonly [string, string]>> = {
  unknown_email: ['no such email', 'There is no account with this email. It is not stored.'],
  wrong_password: ['wrong password', 'The password was wrong.'],
  disabled: ['account disabled', 'The account is disabled.'],
  unclaimed: ['no password yet', 'The account has no password yet: its user has to claim it by a link.'],
  no_password: ['no password', 'The account has no password: its user signs in otherwise.'],
  identity_provider: ['identity provider', 'The response of an identity provider was not accepted.'],
  wrong_code: ['wrong code', 'The password was right, the code of the second factor was not.'],
  unverified: ['email not verified', 'The email is not verified, which REQUIRE_VERIFIED_EMAIL demands.'],
  limited: ['too many attempts', 'There were too many attempts, so the password was not even compared.'],
  new_network: ['from a new network', 'The user had not logged in from this network before.'],
  logout: ['logout', 'The user logged out.'],
  several: ['several tokens', 'Several tokens were revoked at once.'],
  erasure: ['erasure begins', 'The erasure of the user has begun.'],
  gone: ['receiver is gone', 'The receiver responded with 410: it wants nothing more.'],
  failing: ['failed for five days', 'Nothing could be delivered for five days.'],
};
