/** The figures of the dashboard, the latest events, and the health of the service. */
import type { Dashboard } from '../../common/api-types.ts';
import { Icon } from '../../common/icon.tsx';
import { LoadState, PageHead } from '../../common/panel.tsx';
import { Time, timeZone } from '../../common/time.tsx';
import { may } from '../permissions.ts';
import { useView } from '../session.ts';
import { linkToUsers } from '../users/list-view.ts';
import { DailyPanel, type Spans } from './daily-panel.tsx';
import { Figures } from './figures.tsx';
import { Health } from './health.tsx';
import { LatestEvents } from './latest-events.tsx';
import { SignIns } from './sign-ins.tsx';

export function Overview() {
  const [loaded, retry] = useView<{ data: Dashboard }>('/api/v1/admin/dashboard');
  const dashboard = loaded.data?.data;
  return (
    <>
      <PageHead title="Overview" context={dashboard ? <GeneratedAt at={dashboard.generated_at} /> : '\u00a0'}>
        <button type="button" onClick={retry}>
          <Icon name="refresh" />
          Refresh
        </button>
      </PageHead>
      <LoadState loaded={loaded} what="the figures" retry={retry} />
      {dashboard && <Numbers {...dashboard} />}
      <div class="columns aside">
        {may('events:read') && <LatestEvents />}
        <div class="stack">
          {may('settings:read') && <Health />}
          {dashboard && <SignIns counts={dashboard.sign_ins} />}
        </div>
      </div>
    </>
  );
}

function GeneratedAt({ at }: { readonly at: string }) {
  return (
    <>
      As of <Time at={at} /> ({timeZone}). Days are those of UTC. Today is compared with yesterday until the
      same time.
    </>
  );
}

function Numbers(dashboard: Dashboard) {
  const { users, new_users, live_tokens, equal_spans } = dashboard;
  return (
    <>
      <Figures
        users={users}
        newUsers={new_users.last_30_days.count}
        liveTokens={live_tokens}
        failedLogins={dashboard.failed_logins_24h}
        previousFailedLogins={dashboard.previous_failed_logins_24h}
        at={dashboard.generated_at}
      />
      <div class="columns even">
        <DailyPanel
          title="New users per day"
          kind="bars"
          unit="new users"
          counts={mapSpans(new_users, ({ count }) => count)}
          compared={equal_spans.new_users}
          days={dashboard.sign_ups_by_day}
          linkTo={(days) => linkToUsers({ created_from: dashboard.sign_ups_by_day.at(-days)?.date ?? null })}
        />
        <DailyPanel
          title="Active users per day"
          kind="line"
          unit="active users"
          counts={dashboard.active_users}
          compared={equal_spans.active_users}
          days={dashboard.active_users_by_day}
        />
      </div>
    </>
  );
}

function mapSpans<T>(
  { today, last_7_days, last_30_days }: Spans<T>,
  read: (value: T) => number,
): Spans<number> {
  return { today: read(today), last_7_days: read(last_7_days), last_30_days: read(last_30_days) };
}
