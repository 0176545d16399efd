/** Alerts about webhooks and identity providers. */
import type { Reader } from '../../database/database.ts';
import { HOUR } from '../../lib/time.ts';
import { parseData } from '../events/event-view.ts';
import type { ProviderRow } from '../identity-providers/provider.ts';
import { listEnabledProviders } from '../identity-providers/queries.ts';
import { listEndpoints } from '../webhooks/queries.ts';
import type { EndpointRow } from '../webhooks/webhook.ts';
import { type Alert, formatAtMost } from './alert.ts';
import type { FailedLoginRow } from './queries.ts';

export async function findWebhookAlerts(reader: Reader): Promise<Alert[]> {
  return (await listEndpoints(reader)).flatMap((endpoint) => {
    const message = describeEndpoint(endpoint);
    if (message === null) return [];
    const { id, enabled, failing_since, updated_at } = endpoint;
    const severity = enabled === 1 ? 'warning' : 'error';
    const since = failing_since ?? updated_at;
    return [{ kind: 'webhook_failing', severity, message, count: 1, since, subject: `webhook:${id}` }];
  });
}

function describeEndpoint({ url, enabled, disabled_reason, failing_since }: EndpointRow): string | null {
  const name = `The webhook ${new URL(url).host}`;
  if (enabled === 1) return failing_since === null ? null : `${name} does not accept events`;
  if (disabled_reason === 'failing') return `${name} was disabled, because it accepted no event for days`;
  return disabled_reason === 'gone' ? `${name} was disabled, because it responded with 410` : null;
}

/** Fewer may be the fault of the browsers of a few people. */
const MIN_FAILURES = 3;
const LIMITED_FOR_MS = HOUR;

/** `failures`: of sign-ins with providers, the newest first. A change of the provider ends its alert. */
export async function findProviderAlerts(
  reader: Reader,
  failures: readonly FailedLoginRow[],
): Promise<Alert[]> {
  const parsed = failures
    .filter(({ reason }) => reason === 'identity_provider')
    .map(({ created_at, data }) => ({ at: created_at, ...readDetails(data) }))
    .filter(({ detail }) => detail !== 'access_denied');
  return (await listEnabledProviders(reader)).flatMap((provider) => createProviderAlerts(provider, parsed));
}

interface ProviderFailure {
  readonly at: number;
  readonly provider?: string;
  readonly detail?: string;
}

function createProviderAlerts(
  { id, name, updated_at }: ProviderRow,
  failures: readonly ProviderFailure[],
): Alert[] {
  const own = failures.filter(({ at, provider }) => provider === name && at > updated_at);
  if (own.length < MIN_FAILURES) return [];
  const message = `${formatAtMost(own.length, 'sign-in')} with ${name} failed in the last 24 hours: ${own[0]!.detail}`;
  const subject = `identity_provider:${id}`;
  const since = own.at(-1)!.at;
  return [{ kind: 'identity_provider_failing', severity: 'error', message, count: 1, since, subject }];
}

function readDetails(data: string | null): { provider?: string; detail?: string } {
  return parseData({ data }).details ?? {};
}

/** Accounts whose logins were rejected within the last hour because of too many wrong passwords. */
export function findLimitedAlerts(failures: readonly FailedLoginRow[], now: number): Alert[] {
  const limited = failures.filter(
    ({ reason, subject, created_at }) =>
      reason === 'limited' && subject !== null && created_at > now - LIMITED_FOR_MS,
  );
  const accounts = new Set(limited.map(({ subject }) => subject)).size;
  if (accounts === 0) return [];
  const message = `Sign-ins to ${formatAtMost(accounts, 'account')} were rejected in the last hour after too many wrong passwords`;
  return [
    {
      kind: 'logins_limited',
      severity: 'warning',
      message,
      count: accounts,
      since: limited.at(-1)!.created_at,
      subject: null,
    },
  ];
}
