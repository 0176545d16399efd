/** New and active users per day: their sums of three spans with changes, and charts whose days lead to their records. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Dashboard } from '../../common/api-types.ts';
import { formatCount, Panel } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { linkToEvents } from '../events/filters.tsx';
import { may } from '../session.ts';
import { linkToUsers } from '../users/columns.tsx';
import { Chart } from './chart/chart.tsx';
import { type DailyCount, summarizeDays, toSpan } from './chart/daily-count.ts';
import type { ChartKind } from './chart/marks.tsx';
import { linkToSignUps } from './sign-up-groups.tsx';

/** Spans of whole days, with the texts of their comparison. */
export const COMPARED_DAYS = {
  last_7_days: { span: 'in the 7 days up to yesterday', before: 'the 7 days before' },
  last_30_days: { span: 'in the 30 days up to yesterday', before: 'the 30 days before' },
} as const;
const LABELS = { last_7_days: '7 whole days', last_30_days: '30 whole days' } as const;
type Span = keyof typeof LABELS;

interface DailyPanelProps {
  readonly title: string;
  readonly kind: ChartKind;
  /** Noun for the count: `new users`. */
  readonly unit: string;
  readonly compared: Readonly<Record<Span, ComparedCounts>>;
  /** Oldest first. */
  readonly days: readonly DailyCount[];
  readonly linkTo: (date: string) => string;
  /** The foot of the panel. */
  readonly children: ComponentChildren;
}

function DailyPanel({ title, compared, children, ...chart }: DailyPanelProps) {
  const sums = (
    <dl class="spans end">
      {(Object.keys(LABELS) as Span[]).map((span) => (
        <div key={span}>
          <dt>{LABELS[span]}</dt>
          <dd>
            <strong>{formatCount(compared[span].count)}</strong>{' '}
            <Change {...compared[span]} {...COMPARED_DAYS[span]} />
          </dd>
        </div>
      ))}
    </dl>
  );
  return (
    <Panel title={title} id={useId()} beside={sums}>
      <div class="body">
        <Chart title={title} {...chart} />
      </div>
      <footer>{children}</footer>
    </Panel>
  );
}

export interface ComparedCounts {
  readonly count: number;
  readonly previous: number;
}

interface ChangeProps extends ComparedCounts {
  /** The span of `count`: `yesterday`. */
  readonly span: string;
  /** The span of `previous`: `the day before`. */
  readonly before: string;
  /** Whether fewer are good, such as failures. */
  readonly isLessBetter?: boolean;
}

export function Change({ count, previous, span, before, isLessBetter = false }: ChangeProps) {
  const by = count - previous;
  const isGood = by > 0 !== isLessBetter;
  const tone = by === 0 ? 'muted' : isGood ? 'tone good' : 'tone bad';
  return (
    <span
      key={`${count} ${previous}`}
      title={`${formatCount(count)} ${span}, against ${formatCount(previous)} ${before}`}
    >
      <span class={tone}>{formatChange(by, previous)}</span>
      <span class="visually-hidden"> against {before}</span>
    </span>
  );
}

/** In per cent; the count itself, if there was nothing before. */
function formatChange(by: number, previous: number): string {
  if (by === 0) return '±0';
  if (previous === 0) return `+${formatCount(by)}`;
  return `${by > 0 ? '+' : '−'}${formatCount(Math.round((Math.abs(by) / previous) * 100))} %`;
}

const WAYS = {
  password: 'password',
  passkey: 'passkey',
  provider: 'provider',
  email: 'email',
  second_factor: 'two-step',
} as const;

export function DailyCharts({ dashboard }: { readonly dashboard: Dashboard }) {
  const { whole_days, sign_ups_by_day: signUps, sign_ins: signIns } = dashboard;
  const lastFilled = signUps.findLast(({ count }) => count > 0)?.date;
  const ways = Object.keys(WAYS) as (keyof typeof WAYS)[];
  return (
    <div class="columns even">
      <DailyPanel
        title="New users per day"
        kind="bars"
        unit="new users"
        compared={whole_days.new_users}
        days={signUps}
        linkTo={(date) => linkToUsers({ created_from: toSpan(date).from, created_to: toSpan(date).to })}
      >
        <p>{summarizeDays(signUps)}</p>
        {lastFilled && <Link to={linkToSignUps(lastFilled)}>Group by domain or network</Link>}
      </DailyPanel>
      <DailyPanel
        title="Active users per day"
        kind="line"
        unit="active users"
        compared={whole_days.active_users}
        days={dashboard.active_users_by_day}
        linkTo={linkToLogins}
      >
        <p>
          Sign-ins in 30 days: {ways.map((way) => `${WAYS[way]} ${formatCount(signIns[way])}`).join(' · ')}
        </p>
      </DailyPanel>
    </div>
  );
}

/** Returns the logins of a day; of today, for those who may not read events, the users who signed in. */
function linkToLogins(date: string): string {
  const { from, to } = toSpan(date);
  if (!may('events:read')) return linkToUsers({ last_login_from: from, last_login_to: to });
  return linkToEvents({ type: 'login.succeeded', from, to });
}
