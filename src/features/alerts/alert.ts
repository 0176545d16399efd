/** What is wrong with the service, in a sentence. */
import type { AdminScope } from '../../callers/admin-scopes.ts';

/** Each with the scope of those who can do something about it. */
export const ALERT_KINDS = {
  webhook_failing: 'webhooks:write',
  mail_failed: 'users:read',
  mail_waiting: 'users:read',
  backup: 'settings:read',
  submissions_held: 'forms:read',
  identity_provider_failing: 'identity-providers:write',
  logins_limited: 'events:read',
  sign_ups: 'users:read',
} as const satisfies Readonly<Record<string, AdminScope>>;
export type AlertKind = keyof typeof ALERT_KINDS;

export const SEVERITIES = ['error', 'warning'] as const;

export interface Alert {
  readonly kind: AlertKind;
  readonly severity: (typeof SEVERITIES)[number];
  readonly message: string;
  /** Number of records that it is about. */
  readonly count: number;
  /** Epoch milliseconds; null if it is not known. */
  readonly since: number | null;
  /** `webhook:<id>` and the like; null if the alert is about no single record. */
  readonly subject: string | null;
}

/** Creates an alert about one thing, and no single record, unless `about` says otherwise. */
export function createAlert(
  kind: AlertKind,
  severity: Alert['severity'],
  about: Pick<Alert, 'message' | 'since'> & Partial<Pick<Alert, 'count' | 'subject'>>,
): Alert {
  return { kind, severity, count: 1, subject: null, ...about };
}

/** Rows that are counted for an alert at most. */
export const MAX_COUNTED = 1_000;

/** `3 messages`, `more than 1,000 messages`. */
export function formatAtMost(count: number, noun: string): string {
  if (count > MAX_COUNTED) return `More than 1,000 ${noun}s`;
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
