/** What is wrong, each with its remedy; one quiet line if nothing is. */
import type { Alert, Findings } from '../../common/api-types.ts';
import { capitalize, Failure } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { ShortTime } from '../../common/time.tsx';
import type { Loaded } from '../../common/use-load.ts';
import { linkToEvents } from '../events/filters.tsx';
import { linkToMail } from '../mail/record.ts';
import { may } from '../session.ts';
import { linkToSignUps } from './sign-up-groups.tsx';

/** Findings of checks that alerts repeat. */
const REPEATED = ['mail queue', 'backups'];
/** Advice that the first steps repeat. */
const ADVICE = ['settings', 'mail'];

interface ShownAlert extends Pick<Alert, 'severity' | 'message' | 'since'> {
  /** Text and target of the link. */
  readonly remedy: readonly [text: string, to: string];
}

interface AlertsProps {
  readonly alerts: Loaded<{ readonly alerts: readonly Alert[] }>;
  /** Empty for those who may not read them. */
  readonly checks: Loaded<readonly Findings['checks'][number][]>;
  /** Whether the first steps are shown, in place of the line that all is well. */
  readonly omitsAdvice: boolean;
  readonly retry: () => void;
}

/** Rows that are shown at once. */
const SHOWN = 4;

export function Alerts({ alerts, checks, omitsAdvice, retry }: AlertsProps) {
  const failed = [alerts, checks].find(({ state }) => state === 'failed');
  const shown = [
    ...(alerts.data?.alerts ?? []).map((alert) => {
      const id = alert.subject?.split(':')[1] ?? '';
      return { ...alert, remedy: REMEDIES[alert.kind](id, alert) };
    }),
    ...(checks.data ?? []).flatMap((finding) => toShownFinding(finding, omitsAdvice)),
  ].sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'));
  const isKnown = alerts.data !== undefined && checks.data !== undefined;
  if (shown.length === 0 && failed === undefined) return omitsAdvice ? null : <Quiet isKnown={isKnown} />;
  const more = shown.slice(SHOWN);
  return (
    <section class="panel" aria-label="Is something wrong?">
      {failed?.state === 'failed' && (
        <Failure what="The alerts could not be loaded" error={failed.error} retry={retry} />
      )}
      <AlertList alerts={shown.slice(0, SHOWN)} />
      {more.length > 0 && (
        <details>
          <summary>{more.length} more</summary>
          <AlertList alerts={more} />
        </details>
      )}
    </section>
  );
}

function Quiet({ isKnown }: { readonly isKnown: boolean }) {
  // Others do not see all alerts, so that none of theirs is no good news.
  if (!may('admin')) return null;
  return (
    <p role="status" aria-busy={!isKnown}>
      <span class={`badge ${isKnown ? 'usual' : ''}`}>{isKnown ? 'All is well' : 'Checking…'}</span>
    </p>
  );
}

function AlertList({ alerts }: { readonly alerts: readonly ShownAlert[] }) {
  if (alerts.length === 0) return null;
  return (
    <ul>
      {alerts.map(({ severity, message, since, remedy: [text, to] }) => (
        <li key={message} class="alert">
          <span class={`badge ${severity === 'error' ? 'bad' : 'warn'}`}>{capitalize(severity)}</span>
          <p>
            {message}
            {since && (
              <small>
                since <ShortTime at={since} />
              </small>
            )}
          </p>
          <Link to={to}>{text}</Link>
        </li>
      ))}
    </ul>
  );
}

/** By the kind of an alert; the id is that of its subject. */
const REMEDIES: Readonly<Record<Alert['kind'], (id: string, alert: Alert) => ShownAlert['remedy']>> = {
  webhook_failing: (id) => ['Show webhook', `/console/webhooks/${id}`],
  mail_failed: () => ['Show messages', linkToMail({ state: 'failed' })],
  mail_waiting: () => ['Show messages', linkToMail({ state: 'waiting' })],
  backup: () => ['Show backups', '/console/backups'],
  submissions_held: (id) =>
    may('submissions:read')
      ? ['Decide', `/console/forms/${id}/submissions?held=only`]
      : ['Show form', `/console/forms/${id}`],
  identity_provider_failing: () => ['Check provider', '/console/sign-in'],
  logins_limited: (_, { since }) => [
    'Show sign-ins',
    linkToEvents({ type: 'login.failed', outcome: 'failure', from: since }),
  ],
  sign_ups: (_, { since }) => ['Group sign-ups', linkToSignUps(since!.slice(0, 10))],
};

function toShownFinding(
  { check, status, message }: Findings['checks'][number],
  omitsAdvice: boolean,
): ShownAlert[] {
  if ((status !== 'warning' && status !== 'error') || REPEATED.includes(check)) return [];
  if (omitsAdvice && status === 'warning' && ADVICE.includes(check)) return [];
  const remedy = ['Show checks', '/console/settings'] as const;
  return [{ severity: status, message: `${capitalize(check)}: ${message}`, since: null, remedy }];
}
