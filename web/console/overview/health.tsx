/** Health of this node of the service. */
import type { ComponentChildren } from 'preact';
import type { Backups, ServiceStatus } from '../../common/api-types.ts';
import { formatCount } from '../../common/components.tsx';
import { LoadState, Panel } from '../../common/panel.tsx';
import { Link } from '../../common/router.tsx';
import { ShortTime } from '../../common/time.tsx';
import type { Loaded } from '../../common/use-load.ts';
import { Fact } from '../records/facts.tsx';

export interface ServiceFacts {
  readonly status: ServiceStatus;
  readonly backups: Backups;
}

interface HealthProps {
  readonly service: Loaded<ServiceFacts | null>;
  readonly retry: () => void;
}

export function Health({ service, retry }: HealthProps) {
  return (
    <Panel title="Health" id="health">
      <LoadState loaded={service} what="the status" retry={retry} />
      {service.data && <Facts {...service.data} />}
    </Panel>
  );
}

const ENGINES = { sqlite: 'SQLite', postgresql: 'PostgreSQL' } as const;
const MEGABYTE = 1024 * 1024;

function Facts({ status, backups }: ServiceFacts) {
  const { database, mail } = status;
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ['Version', `${status.version} on Node ${status.node_version.replace(/^v/, '')}`],
    ['Database', `${ENGINES[database.engine]}, ${database.location}`],
    [
      'Running since',
      <>
        <ShortTime at={status.started_at} /> ({duration(status.uptime_seconds)})
      </>,
    ],
    ['Memory', `${formatCount(Math.round(status.memory_bytes / MEGABYTE))} MB`],
    ['Mail', mailText(mail)],
    [
      'Backup',
      <Link to="/console/backups">
        <ShortTime at={backups.created_at} otherwise="none" />
      </Link>,
    ],
  ];
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Returns the largest unit only: `3 days`. */
function duration(seconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? UNITS[3];
  const count = Math.floor(seconds / length);
  return `${formatCount(count)} ${unit}${count === 1 ? '' : 's'}`;
}

const DELIVERIES = {
  smtp: 'Sent by SMTP',
  log: 'Written to the log',
  off: 'SMTP_URL is not set',
} as const;

/** A zero that nobody needs is left out. */
function mailText({ delivery, dropped }: ServiceStatus['mail']): string {
  const text = DELIVERIES[delivery];
  return dropped > 0 ? `${text}; ${formatCount(dropped)} dropped by limits so far` : text;
}
