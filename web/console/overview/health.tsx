/** Health of this node of the service. */

import type { ComponentChildren } from 'preact';
import type { ServiceStatus } from '../../common/api-types.ts';
import { formatCount } from '../../common/components.tsx';
import { LoadState, Panel } from '../../common/panel.tsx';
import { Link } from '../../common/router.tsx';
import { ShortTime } from '../../common/time.tsx';
import { Fact } from '../list/fact.tsx';
import { linkToMail } from '../mail/mail-filters.tsx';
import { useView } from '../session.ts';

export function Health() {
  const [loaded, retry] = useView<{ data: ServiceStatus }>('/api/v1/admin/status');
  const status = loaded.data?.data;
  return (
    <Panel title="Health" id="health" beside={status && <Verdict mail={status.mail} />}>
      <LoadState loaded={loaded} what="the status" retry={retry} />
      {status && <Facts status={status} />}
    </Panel>
  );
}

/** In a few words; the checks of the settings look closer. */
function Verdict({ mail }: Pick<ServiceStatus, 'mail'>) {
  if (mail.delivery === 'off' && mail.waiting > 0)
    return <span class="badge warn end">Mail is not sent</span>;
  if (mail.failed > 0) return <span class="badge warn end">Mail is delayed</span>;
  return <span class="badge usual end">All is well</span>;
}

const ENGINES = { sqlite: 'SQLite', postgresql: 'PostgreSQL' } as const;
const MEGABYTE = 1024 * 1024;

function Facts({ status }: { readonly status: ServiceStatus }) {
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
    [
      'Mail',
      mail.waiting > 0 ? <Link to={linkToMail({ state: 'waiting' })}>{mailText(mail)}</Link> : mailText(mail),
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

/** Zeros that nobody needs are left out. */
function mailText({ delivery, waiting, failed, has_more, dropped }: ServiceStatus['mail']): string {
  const count = `${has_more ? 'more than ' : ''}${formatCount(waiting)}`;
  const parts = [
    waiting === 0 ? 'nothing waits' : `${count} waiting`,
    failed > 0 && `${formatCount(failed)} after a failed attempt`,
    dropped > 0 && `${formatCount(dropped)} dropped by limits so far`,
  ];
  return `${DELIVERIES[delivery]}; ${parts.filter(Boolean).join(', ')}`;
}
