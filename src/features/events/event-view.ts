/** Events as responses show them. */
import { COMMAND_LINE } from '../../callers/action-context.ts';
import { END_OF_TIME, formatTimestamp } from '../../lib/time.ts';
import { parseStored, readSalted } from './chain/chain.ts';
import type { EventType } from './event-types.ts';
import type { SubjectUser } from './list/queries.ts';
import type { EventRow, ThinEventRow } from './queries.ts';
import type { RecordedChange } from './record-event.ts';
import type { ADMINISTRATOR_KINDS } from './schemas.ts';

type AdministratorKind = (typeof ADMINISTRATOR_KINDS)[number];

/** The column `data`. Times are in epoch milliseconds. */
interface StoredData {
  readonly request_id?: string;
  readonly actor_name?: string;
  readonly changes?: readonly RecordedChange[];
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
  /** Set on events that stand for several occurrences. */
  readonly occurrences?: number;
  readonly first_at?: number;
  readonly last_at?: number;
}

/** An event whose content was not removed. */
type StoredEvent = EventRow & { readonly type: EventType };

export const isStored = (event: EventRow): event is StoredEvent => event.type !== null;

/** Returns the event without personal data, for programs that fetch the record. */
export function thinEventView({ id, type, created_at, subject, sequence }: Omit<ThinEventRow, 'digest'>) {
  return { id, type, time: formatEventTime(created_at), subject, sequence };
}

/**
 * Returns an event for the user that it is about: without who and where the administrator is, and why a login failed.
 */
export function ownEventView(event: EventRow) {
  const { actor, outcome, reason, type } = event;
  const { occurrences = 1, details = null, changes = [] } = parseData(event);
  const isByAdministrator = actor === 'administrator';
  return {
    ...thinEventView(event),
    actor: { type: actor, id: isByAdministrator ? null : event.actor_id, name: null },
    outcome,
    reason: type === 'login.failed' ? null : reason,
    changes,
    details,
    address: isByAdministrator ? null : readSalted(event.network),
    device: isByAdministrator ? null : readSalted(event.device),
    occurrences,
  };
}

/** Returns an event for the administrator, with the people whom it names as they are now. */
export function eventView(event: EventRow, users: ReadonlyMap<string, SubjectUser>) {
  const { subject, reason } = event;
  const { request_id = null, actor_name = null, first_at, last_at } = parseData(event);
  const kind = getAdministratorKind(event, actor_name);
  const own = ownEventView(event);
  const person = event.actor === 'administrator' ? users.get(event.actor_id ?? '') : undefined;
  return {
    ...own,
    actor: {
      ...own.actor,
      id: event.actor_id,
      name: actor_name ?? person?.name ?? person?.email ?? null,
      kind,
    },
    reason,
    address: readSalted(event.network),
    device: readSalted(event.device),
    first_at: first_at === undefined ? null : formatTimestamp(first_at),
    last_at: last_at === undefined ? null : formatTimestamp(last_at),
    request_id,
    user: (subject?.startsWith('user:') && users.get(subject.slice('user:'.length))) || null,
  };
}

/** Names of credentials are stored, names of people are not. */
function getAdministratorKind({ actor, actor_id }: EventRow, name: string | null): AdministratorKind | null {
  if (actor !== 'administrator') return null;
  if (actor_id !== null) return name === null ? 'person' : 'credential';
  return name === COMMAND_LINE.actor.name ? 'command_line' : 'first_owner';
}

/** The media type of batches of CloudEvents 1.0. */
export const CLOUD_EVENTS_TYPE = 'application/cloudevents-batch+json';

/** As many digits as a safe integer has: the texts have the order of the numbers. */
const SEQUENCE_DIGITS = 16;

/** Returns an event as CloudEvents 1.0 describes it, without personal data: with its number in the feed as the extension `sequence`; `source` is the URL of the service. */
export function cloudEventView(
  { id, type, created_at, subject, sequence, number }: EventRow,
  source: string,
) {
  return {
    specversion: '1.0',
    id,
    source: source || '/',
    type: type!,
    time: formatEventTime(created_at),
    ...(subject === null ? {} : { subject, subjectsequence: sequence! }),
    sequence: String(number).padStart(SEQUENCE_DIGITS, '0'),
  };
}

const isText = (value: unknown) => typeof value === 'string';
const isObject = (value: unknown) => typeof value === 'object' && value !== null;
const isScalar = (value: unknown) => !isObject(value);
const isTime = (value: unknown) => Number.isInteger(value) && Math.abs(value as number) <= END_OF_TIME;

/** Checks of the members, which somebody may have edited to another type: that must hide neither this nor other events. */
const MEMBERS: { readonly [Name in keyof StoredData]-?: (value: unknown) => boolean } = {
  request_id: isText,
  actor_name: isText,
  changes: (value) =>
    Array.isArray(value) &&
    value.every((each) => isText(each?.name) && isScalar(each.from) && isScalar(each.to)),
  details: (value) => isObject(value) && !Array.isArray(value),
  occurrences: Number.isSafeInteger,
  first_at: isTime,
  last_at: isTime,
};

/** Returns the column `data`, without members of another type. */
export function parseData({ data }: Pick<EventRow, 'data'>): StoredData {
  const stored = parseStored<StoredData>(data);
  const names = Object.keys(MEMBERS) as (keyof StoredData)[];
  return Object.fromEntries(
    names.filter((name) => MEMBERS[name](stored[name])).map((name) => [name, stored[name]]),
  );
}

/** Formats the time of an event, which somebody may have edited to one that no date has. */
export const formatEventTime = (time: number): string => formatTimestamp(isTime(time) ? time : 0);
