/** New and active users per day. */
import type { Dashboard } from '../../common/api-types.ts';
import { formatCount } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { linkToEvents } from '../events/filters.tsx';
import { may } from '../session.ts';
import { linkToUsers } from '../users/columns.tsx';
import { summarizeDays, toSpan } from './chart/daily-count.ts';
import { DailyPanel } from './daily-panel.tsx';
import { linkToSignUps } from './sign-up-groups.tsx';

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
