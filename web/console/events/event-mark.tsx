/** Marks of events in lists and timelines: the consequence by a colour, the actor by an icon. */
import type { AuditEvent } from '../../common/api-types.ts';
import { Icon, type IconName } from '../../common/icon.tsx';
import { formatActor, formatLabel, getConsequence, isBySelf } from './text.ts';

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

/** Who has caused the event; nothing if it was the user whose account it is. */
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
