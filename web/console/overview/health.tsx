/** Health of this node of the service. */
import type { Backups, ServiceStatus } from '../../common/api-types.ts';
import { Facts, formatCount, formatCounted, LoadState, Panel } from '../../common/components.tsx';
import { TIME_UNITS } from '../../common/page-language.ts';
import { Link } from '../../common/router.tsx';
import { ShortTime } from '../../common/time.tsx';
import type { Loaded } from '../../common/use-load.ts';

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
      {service.data && <Facts facts={toFacts(service.data)} />}
    </Panel>
  );
}

const ENGINES = { sqlite: 'SQLite', postgresql: 'PostgreSQL' } as const;
const MEGABYTE = 1024 * 1024;

function toFacts({ status, backups }: ServiceFacts) {
  const { database, mail } = status;
  return {
    Version: `${status.version} on Node ${status.node_version.replace(/^v/, '')}`,
    Database: `${ENGINES[database.engine]}, ${database.location}`,
    'Running since': (
      <>
        <ShortTime at={status.started_at} /> ({duration(status.uptime_seconds)})
      </>
    ),
    Memory: `${formatCount(Math.round(status.memory_bytes / MEGABYTE))} MB`,
    Mail: mailText(mail),
    Backup: (
      <Link to="/console/backups">
        <ShortTime at={backups.created_at} otherwise="none" />
      </Link>
    ),
  };
}

/** Returns the largest unit only: `3 days`. */
function duration(seconds: number): string {
  const [unit, length] = TIME_UNITS.find(([, each]) => seconds >= each) ?? TIME_UNITS[3];
  return formatCounted(Math.floor(seconds / length), unit);
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
