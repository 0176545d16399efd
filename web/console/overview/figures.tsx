/** Six figures at most, with their change. Each leads to the list of its records. */
import type { ComponentChildren } from 'preact';
import type { Dashboard, ServiceStatus } from '../../common/api-types.ts';
import { formatCount } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { linkToEvents } from '../events/filters.tsx';
import { linkToMail } from '../mail/record.ts';
import { may } from '../session.ts';
import { linkToUsers } from '../users/columns.tsx';
import { toSpan } from './chart/daily-count.ts';
import { Change, COMPARED_DAYS, type ComparedCounts } from './daily-panel.tsx';

interface FiguresProps {
  readonly dashboard: Dashboard;
  /** Undefined if it may not be read, or is not known yet. */
  readonly mail: ServiceStatus['mail'] | undefined;
}

export function Figures({ dashboard, mail }: FiguresProps) {
  const { users, new_users } = dashboard;
  const note = `${formatCount(new_users.last_30_days.count)} new in 30 days`;
  return (
    <ul class="figures" aria-label="Figures">
      <Figure name="Users" count={users.total} note={note} to={linkToUsers({})} />
      <RecentUsers dashboard={dashboard} />
      <FailedLogins dashboard={dashboard} at={dashboard.generated_at} />
      {mail && (
        <Figure
          name="Mail waiting"
          count={mail.waiting}
          note={mail.failed > 0 ? `${formatCount(mail.failed)} delayed` : 'none delayed'}
          to={linkToMail({ state: 'waiting' })}
        />
      )}
    </ul>
  );
}

function RecentUsers({ dashboard }: Pick<FiguresProps, 'dashboard'>) {
  const { new_users, active_users, whole_days, sign_ups_by_day: days } = dashboard;
  const linkToActive = (date: string) =>
    linkToUsers({ last_login_from: toSpan(date).from, sort: '-last_login_at' });
  return (
    <>
      <Figure
        name="New today"
        count={new_users.today.count}
        note={<Yesterday {...whole_days.new_users.yesterday} />}
        to={linkToUsers({ created_from: toSpan(days.at(-1)!.date).from })}
      />
      <Figure
        name="Active today"
        count={active_users.today}
        note={<Yesterday {...whole_days.active_users.yesterday} />}
        to={linkToActive(days.at(-1)!.date)}
      />
      <Figure
        name="Active in 7 days"
        count={active_users.last_7_days}
        note={
          <>
            <Change {...whole_days.active_users.last_7_days} {...COMPARED_DAYS.last_7_days} /> in whole weeks
          </>
        }
        to={linkToActive(days.at(-7)!.date)}
      />
    </>
  );
}

function Yesterday(counts: ComparedCounts) {
  return (
    <>
      {formatCount(counts.count)} yesterday, <Change {...counts} span="yesterday" before="the day before" />
    </>
  );
}

const COMPARED_HOURS = { span: 'in 24 hours', before: 'the 24 hours before' };

function FailedLogins({ dashboard, at }: { readonly dashboard: Dashboard; readonly at: string }) {
  const { failed_logins_24h: count, previous_failed_logins_24h: previous } = dashboard;
  const from = new Date(Date.parse(at) - 86_400_000).toISOString();
  return (
    <Figure
      name="Failed sign-ins"
      count={count}
      note={
        <>
          <Change {...{ count, previous }} {...COMPARED_HOURS} isLessBetter /> in 24 hours
        </>
      }
      to={may('events:read') ? linkToEvents({ type: 'login.failed', outcome: 'failure', from }) : undefined}
    />
  );
}

interface FigureProps {
  readonly name: string;
  readonly count: number;
  readonly note: ComponentChildren;
  readonly to: string | undefined;
}

function Figure({ name, count, note, to }: FigureProps) {
  const content: ComponentChildren = (
    <>
      <span>{name}</span> <strong key={count}>{formatCount(count)}</strong> <small>{note}</small>
    </>
  );
  return (
    <li>
      {to === undefined ? (
        <div class="panel figure">{content}</div>
      ) : (
        <Link class="panel figure" to={to}>
          {content}
        </Link>
      )}
    </li>
  );
}
