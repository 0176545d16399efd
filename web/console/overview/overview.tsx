/** The figures of the dashboard, the latest security events, and the health of the service. */
import type { ComponentChildren } from 'preact';
import { Failure, formatCount, Loading, ScrollArea, ViewHeading } from '../../common/components.tsx';
import { Link, withQuery } from '../../common/router.tsx';
import { Time } from '../../common/time.tsx';
import { useView } from '../session.ts';
import { Curve, type DailyCount } from './curve.tsx';
import { Health } from './health.tsx';
import { LatestEvents } from './latest-events.tsx';

interface Spans<T> {
  readonly today: T;
  readonly last_7_days: T;
  readonly last_30_days: T;
}

interface Dashboard {
  readonly generated_at: string;
  readonly users: {
    readonly total: number;
    readonly by_state: Readonly<Record<'active' | 'unclaimed' | 'disabled', number>>;
  };
  readonly new_users: Spans<{ readonly count: number; readonly previous: number }>;
  readonly active_users: Spans<number>;
  readonly previous_active_users: Spans<number>;
  readonly sign_ups_by_day: readonly DailyCount[];
  readonly active_users_by_day: readonly DailyCount[];
  readonly live_tokens: number;
  readonly failed_logins_24h: number;
}

export function Overview() {
  const [loaded, retry] = useView<{ data: Dashboard }>('/api/v1/admin/dashboard');
  return (
    <>
      <ViewHeading title="Overview">Overview</ViewHeading>
      {loaded.state === 'failed' && (
        <Failure what="The figures could not be loaded" error={loaded.error} retry={retry} />
      )}
      {loaded.data && <Figures figures={loaded.data.data} reload={retry} />}
      {loaded.state === 'loading' && !loaded.data && <Loading what="the figures" />}
      <div class="columns">
        <LatestEvents />
        <Health />
      </div>
    </>
  );
}

interface FiguresProps {
  readonly figures: Dashboard;
  readonly reload: () => void;
}

function Figures({ figures, reload }: FiguresProps) {
  return (
    <>
      <p class="muted">
        As of <Time at={figures.generated_at} />.{' '}
        <button type="button" class="link" onClick={reload}>
          Refresh
        </button>
      </p>
      <Users {...figures} />
      <Periods {...figures} />
      <div class="columns">
        <Curve title="New users per day" days={figures.sign_ups_by_day} />
        <Curve title="Active users per day" days={figures.active_users_by_day} />
      </div>
    </>
  );
}

const STATES = { active: 'Active', unclaimed: 'Unclaimed', disabled: 'Disabled' } as const;

function Users({ users, live_tokens, failed_logins_24h }: Dashboard) {
  return (
    <section aria-label="Totals">
      <dl class="figures">
        <Figure name="Users" count={users.total} to="/console/users" />
        {Object.entries(STATES).map(([state, label]) => (
          <Figure
            key={state}
            name={label}
            count={users.by_state[state as keyof typeof STATES]}
            to={withQuery('/console/users', { state })}
          />
        ))}
        <Figure name="Live tokens" count={live_tokens} />
        <Figure name="Failed logins in 24 hours" count={failed_logins_24h} />
      </dl>
    </section>
  );
}

function Figure({
  name,
  count,
  to,
}: {
  readonly name: string;
  readonly count: number;
  readonly to?: string;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{to === undefined ? formatCount(count) : <Link to={to}>{formatCount(count)}</Link>}</dd>
    </div>
  );
}

const SPANS = {
  today: ['Today', 'yesterday'],
  last_7_days: ['7 days', 'the 7 days before'],
  last_30_days: ['30 days', 'the 30 days before'],
} as const;

function Periods({ new_users, active_users, previous_active_users }: Dashboard) {
  const spans = Object.entries(SPANS) as [keyof typeof SPANS, readonly [string, string]][];
  const row = (figures: (span: keyof typeof SPANS) => readonly [number, number]): ComponentChildren =>
    spans.map(([span, [, before]]) => {
      const [count, previous] = figures(span);
      return (
        <td key={span}>
          <strong>{formatCount(count)}</strong> <Change by={count - previous} before={before} />
        </td>
      );
    });
  return (
    <ScrollArea label="New and active users by period">
      <table class="periods">
        <thead>
          <tr>
            <td />
            {spans.map(([span, [label]]) => (
              <th key={span} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">New users</th>
            {row((span) => [new_users[span].count, new_users[span].previous])}
          </tr>
          <tr>
            <th scope="row">Active users</th>
            {row((span) => [active_users[span], previous_active_users[span]])}
          </tr>
        </tbody>
      </table>
    </ScrollArea>
  );
}

function Change({ by, before }: { readonly by: number; readonly before: string }) {
  const text = by === 0 ? '±0' : `${by > 0 ? '+' : '−'}${formatCount(Math.abs(by))}`;
  return (
    <span class="change" title={`${text} against ${before}`}>
      {text}
      <span class="visually-hidden"> against {before}</span>
    </span>
  );
}
