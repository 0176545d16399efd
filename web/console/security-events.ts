/** Security events in words. */
import type { SecurityEvent } from '../common/api-types.ts';

const TEXTS: Readonly<Record<string, string>> = {
  registered: 'Registered',
  created: 'Created',
  logged_in: 'Logged in',
  logged_in_from_new_network: 'Logged in from a new network',
  logged_out: 'Logged out',
  password_changed: 'Password changed',
  password_reset: 'Password reset by a link',
  password_reset_requested: 'Link to reset the password requested',
  email_change_requested: 'Change of the email requested',
  email_changed: 'Email changed',
  email_verified: 'Email verified',
  claimed: 'Account claimed',
  token_created: 'Token created',
  token_rotated: 'Token rotated',
  token_revoked: 'Token revoked',
  tokens_revoked: 'Tokens revoked',
  disabled: 'Disabled',
  enabled: 'Enabled',
};

/** Events that somebody should look at. */
const NOTABLE: ReadonlySet<string> = new Set(['disabled', 'logged_in_from_new_network']);

export function isNotable({ kind }: SecurityEvent): boolean {
  return NOTABLE.has(kind);
}

const ACTORS = { user: '', administrator: ' by the administrator', anonymous: ' by someone not signed in' };

/** Formats an event with its actor and number of occurrences: `Tokens revoked by the administrator, 3 times`. */
export function formatSentence({ kind, actor, occurrences }: SecurityEvent): string {
  const times = occurrences > 1 ? `, ${occurrences} times` : '';
  return `${TEXTS[kind] ?? kind.replaceAll('_', ' ')}${ACTORS[actor]}${times}`;
}
