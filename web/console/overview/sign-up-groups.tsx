/** New users of a day by domain or network, which shows where a wave of them comes from. */
import { useEffect, useRef } from 'preact/hooks';
import type { SignUpGroups } from '../../common/api-types.ts';
import { Button, formatCount, LoadState, Panel } from '../../common/components.tsx';
import { Options } from '../../common/form.tsx';
import { Link, navigate, query, withQuery } from '../../common/router.tsx';
import { useData } from '../session.ts';
import { linkToUsers } from '../users/columns.tsx';
import { type DailyCount, formatWeekday, toSpan } from './chart/daily-count.ts';

const HOME = '/console';
const GROUPINGS = { domain: 'Domain', network: 'Network' } as const;
type Grouping = keyof typeof GROUPINGS;

/** Returns the overview with the groups of a day: `2026-11-22`. */
export function linkToSignUps(day: string, by: Grouping = 'domain'): string {
  return withQuery(HOME, { sign_ups: day, by });
}

/** Nothing unless the address has a day. `days`: oldest first. */
export function SignUps({ days }: { readonly days: readonly DailyCount[] }) {
  const day = query.value.get('sign_ups');
  if (day === null || !/^\d{4}-\d\d-\d\d$/.test(day)) return null;
  const by = query.value.get('by') === 'network' ? 'network' : 'domain';
  return <SignUpPanel day={day} by={by} days={days} />;
}

interface ShownGroups {
  readonly day: string;
  readonly by: Grouping;
}

function SignUpPanel({ day, by, days }: ShownGroups & { readonly days: readonly DailyCount[] }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The panel is below the chart that leads to it.
  useEffect(() => heading.current?.focus(), []);
  return (
    <Panel
      title="Sign-ups by domain and network"
      id="sign-ups"
      heading={heading}
      beside={<Choices day={day} by={by} days={days} />}
    >
      <Groups day={day} by={by} />
    </Panel>
  );
}

function Choices({ day, by, days }: ShownGroups & { readonly days: readonly DailyCount[] }) {
  const show = (to: string) => navigate(to, { replace: true });
  const filled = days.filter(({ count, date }) => count > 0 || date === day).reverse();
  return (
    <div class="row end choices">
      <select
        aria-label="Day (UTC)"
        value={day}
        onChange={({ currentTarget }) => show(linkToSignUps(currentTarget.value, by))}
      >
        <Options
          options={filled.map(({ date, count }) => [date, `${formatWeekday(date)} (${formatCount(count)})`])}
        />
      </select>
      <nav class="tabs" aria-label="Group by">
        {(Object.keys(GROUPINGS) as Grouping[]).map((each) => (
          <Link key={each} to={linkToSignUps(day, each)} aria-current={each === by ? 'page' : undefined}>
            {GROUPINGS[each]}
          </Link>
        ))}
      </nav>
      <Button text="Close" class="compact" onClick={() => show(HOME)} />
    </div>
  );
}

const NONE = { domain: 'Without an email', network: 'Network not known' } as const;

function Groups({ day, by }: ShownGroups) {
  const span = toSpan(day);
  const [loaded, retry] = useData<SignUpGroups>(withQuery('/api/v1/users/sign-ups', { by, ...span }));
  const found = loaded.data;
  if (found === undefined) return <LoadState loaded={loaded} what="the sign-ups" retry={retry} />;
  const { counted, is_complete: isComplete, groups } = found;
  const atLeast = isComplete ? '' : 'at least ';
  const toUsers = (domain: string) =>
    linkToUsers({ search: `@${domain}`, created_from: span.from, created_to: span.to });
  return (
    <>
      <table class="groups">
        <caption>Sign-ups by {by}</caption>
        <thead>
          <tr>
            <th scope="col">{GROUPINGS[by]}</th>
            <th scope="col" class="num">
              Users
            </th>
            <th scope="col" class="num">
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ value, count }) => (
            <tr key={value}>
              <td>
                {value === null && NONE[by]}
                {value !== null && (by === 'domain' ? <Link to={toUsers(value)}>{value}</Link> : value)}
              </td>
              <td class="num">
                {atLeast}
                {formatCount(count)}
              </td>
              <td class="num">{Math.round((count / counted) * 100)} %</td>
            </tr>
          ))}
        </tbody>
      </table>
      <footer>
        <p>
          {isComplete
            ? `${formatCount(counted)} users of this day.`
            : `The newest ${formatCount(counted)} users of this day: counts and shares are those of them.`}
        </p>
      </footer>
    </>
  );
}
