/** What is wrong, what changed, and what to do first. */
import type {
  Alert,
  AuditEvent,
  Backups,
  Dashboard,
  Findings,
  ServiceStatus,
} from '../../common/api-types.ts';
import { Button, LoadState, PageHead, Panel } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { EVENTS } from '../events/filters.tsx';
import { EventList } from '../events/page.tsx';
import { usePages } from '../records/use-pages.ts';
import './overview.css';
import { useState } from 'preact/hooks';
import { STEPS_KEY } from '../../common/storage.ts';
import { Time } from '../../common/time.tsx';
import { may, read, useData, useViewData } from '../session.ts';
import { Alerts } from './alerts.tsx';
import { DailyCharts } from './daily-panel.tsx';
import { Figures } from './figures.tsx';
import { FirstSteps, hasOnlyOwner, listSteps, type SetupFacts } from './first-steps.tsx';
import { Health, type ServiceFacts } from './health.tsx';
import { SignUps } from './sign-up-groups.tsx';

export function Overview() {
  const [figures, reloadFigures] = useData<Dashboard>('/api/v1/admin/dashboard');
  const [service, reloadService] = useViewData('service', readService);
  const [alerts, reloadAlerts] = useData<{ alerts: Alert[] }>('/api/v1/admin/alerts');
  const [checks, reloadChecks] = useViewData('checks', readChecks);
  const dashboard = figures.data;
  const { steps, hide } = useFirstSteps(dashboard && service.data && { ...service.data, ...dashboard });
  const reloadNumbers = () => {
    reloadFigures();
    reloadService();
  };
  const reloadAlertsAndChecks = () => {
    reloadAlerts();
    reloadChecks();
  };
  const refresh = () => {
    reloadNumbers();
    reloadAlertsAndChecks();
  };
  // Charts without users say nothing.
  const isEmpty = dashboard !== undefined && steps !== null && hasOnlyOwner(dashboard.users);
  return (
    <>
      <PageHead
        title="Overview"
        context={isEmpty ? WELCOME : dashboard ? <GeneratedAt at={dashboard.generated_at} /> : '\u00a0'}
      >
        <Button icon="refresh" text="Refresh" onClick={refresh} />
      </PageHead>
      <Alerts {...{ alerts, checks }} omitsAdvice={steps !== null} retry={reloadAlertsAndChecks} />
      {steps && <FirstSteps steps={steps} onHide={hide} onReturn={reloadNumbers} />}
      <LoadState loaded={figures} what="the figures" retry={reloadFigures} />
      {dashboard && !isEmpty && (
        <>
          <Figures dashboard={dashboard} mail={service.data?.status.mail} />
          <DailyCharts dashboard={dashboard} />
          <SignUps days={dashboard.sign_ups_by_day} />
        </>
      )}
      <div class="columns aside">
        {may('events:read') && <LatestEvents />}
        {may('settings:read') && <Health service={service} retry={reloadService} />}
      </div>
    </>
  );
}

async function readService(signal: AbortSignal): Promise<ServiceFacts | null> {
  if (!may('settings:read')) return null;
  const [status, backups] = await Promise.all([
    read<ServiceStatus>('/api/v1/admin/status', { signal }),
    read<Backups>('/api/v1/admin/backups', { signal }),
  ]);
  return { status, backups };
}

async function readChecks(signal: AbortSignal): Promise<Findings['checks']> {
  if (!may('settings:read')) return [];
  return (await read<Findings>('/api/v1/admin/checks', { signal })).checks;
}

/** Returns null unless an owner has not done all steps, and this browser does not hide them. */
function useFirstSteps(facts: SetupFacts | null | undefined) {
  const [isHidden, setIsHidden] = useState(localStorage.getItem(STEPS_KEY) === 'hidden');
  const hide = () => {
    localStorage.setItem(STEPS_KEY, 'hidden');
    setIsHidden(true);
  };
  const isShown = facts && !isHidden && may('admin');
  const steps = isShown ? listSteps(facts) : [];
  return { steps: steps.some(({ isDone }) => !isDone) ? steps : null, hide };
}

const WELCOME = 'Welcome. There are no users yet: these steps lead to the first ones.';

function GeneratedAt({ at }: { readonly at: string }) {
  return (
    <>
      As of <Time at={at} />. Days of figures and charts are those of UTC. Changes compare whole days.
    </>
  );
}

/** Number that fits below the figures and the charts in a window of 900 pixels. */
const SHOWN = '5';

function LatestEvents() {
  const { state, shown, reload } = usePages<AuditEvent>('/api/v1/events', { limit: SHOWN });
  const all = (
    <Link class="end" to={EVENTS}>
      All events
    </Link>
  );
  return (
    <Panel title="Latest events" id="latest-events" beside={all}>
      <EventList
        label="Latest events"
        columns="brief"
        pages={{ state, shown, reload }}
        empty={<p class="muted">Nothing has been recorded yet.</p>}
      />
    </Panel>
  );
}
