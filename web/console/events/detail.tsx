/** Everything that is recorded about an event. */
import type { AuditEvent } from '../../common/api-types.ts';
import { CodeBlock } from '../../common/code-block.tsx';
import { Facts, formatCount } from '../../common/components.tsx';
import { Icon, type IconName } from '../../common/icon.tsx';
import { Link } from '../../common/router.tsx';
import { Time } from '../../common/time.tsx';
import { linkToEvents } from './filters.tsx';
import {
  formatSubjectCell,
  getActorLink,
  getApplicationId,
  getSubjectLink,
  subjectNames,
} from './subject.ts';
import { formatActor, formatLabel, formatReason, formatSentence, getConsequence, isBySelf } from './text.ts';

export function EventDetail({ event }: { readonly event: AuditEvent }) {
  const { changes, address, device, request_id, subject, user, actor } = event;
  const application = getApplicationId(event);
  const reason = formatReason(event);
  return (
    <div class="columns even">
      <div class="stack tight">
        <p>
          <strong>{formatSentence(event)}</strong>
          {reason && ` ${reason}`}
        </p>
        <Facts
          facts={{
            Changes: changes.length > 0 && <Changes changes={changes} />,
            'How often': event.occurrences > 1 && <Occurrences event={event} />,
            Network: address,
            Device: device,
            About: subject !== null && <Subject event={event} />,
            Application: application !== null && (
              <Link to={`/console/applications/${application}`}>
                {subjectNames.value.application?.get(`application:${application}`) ?? (
                  <code>{application}</code>
                )}
              </Link>
            ),
            By: <Actor event={event} />,
            Request: request_id !== null && <code>{request_id}</code>,
          }}
        />
        <div class="row">
          {subject !== null && (
            <Link to={linkToEvents({ subject })}>All events about {user === null ? 'it' : 'this user'}</Link>
          )}
          {actor.id !== null && (
            <Link to={linkToEvents({ actor: actor.id })}>
              All events by {formatActor(event, 'cell').replace(/^The/, 'the')}
            </Link>
          )}
        </div>
      </div>
      <CodeBlock label="Event as JSON" text={JSON.stringify(event, null, 2)} />
    </div>
  );
}

/** The name with a link to the record, or the id of one that is gone. */
function Subject({ event }: { readonly event: AuditEvent }) {
  const to = getSubjectLink(event);
  return to === null ? (
    <code>{event.subject}</code>
  ) : (
    <Link to={to}>
      <bdi>{formatSubjectCell(event)}</bdi>
    </Link>
  );
}

function Actor({ event }: { readonly event: AuditEvent }) {
  const to = getActorLink(event);
  const name = <bdi>{formatActor(event, 'cell')}</bdi>;
  return to === null ? name : <Link to={to}>{name}</Link>;
}

function Occurrences({ event }: { readonly event: AuditEvent }) {
  const { occurrences, first_at, last_at } = event;
  return (
    <>
      {formatCount(occurrences)} times
      {first_at !== null && last_at !== null && (
        <>
          , from <Time at={first_at} /> to <Time at={last_at} />
        </>
      )}
    </>
  );
}

/** Values are recorded of some members only. */
function Changes({ changes }: Pick<AuditEvent, 'changes'>) {
  return (
    <ul>
      {changes.map((change) => (
        <li key={change.name}>
          <code>{change.name}</code>
          {(change.from !== undefined || change.to !== undefined) && (
            <>
              : {formatValue(change.from)} → {formatValue(change.to)}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function formatValue(value: string | number | boolean | null | undefined): string {
  return value === null || value === undefined || value === '' ? '(none)' : String(value);
}

/** The short description: failures in red, interventions in amber, and destruction with an icon. Others are plain. */
export function EventMark({ event }: { readonly event: AuditEvent }) {
  const consequence = getConsequence(event);
  const label = formatLabel(event);
  if (consequence === undefined) return label;
  const isByAdministrator = event.actor.type === 'administrator';
  const tone = consequence === 'failure' ? 'bad' : isByAdministrator ? 'warn' : '';
  return (
    <span class={`badge ${tone}`}>
      {consequence === 'destruction' && <Icon name="trash" />}
      {label}
    </span>
  );
}

/** Ways in have an icon, people have none. */
const ICONS: Readonly<Record<string, IconName>> = {
  credential: 'key',
  first_owner: 'key',
  command_line: 'code',
};

/** Shows the actor of the event, unless it is the user whose account it concerns. */
export function EventActor({ event }: { readonly event: AuditEvent }) {
  if (isBySelf(event)) return null;
  const { kind } = event.actor;
  const icon = kind === null ? undefined : ICONS[kind];
  const name = <bdi>{formatActor(event, 'cell')}</bdi>;
  return icon === undefined ? (
    name
  ) : (
    <span class="with-icon">
      <Icon name={icon} />
      {name}
    </span>
  );
}
