/** Lists queued and ended messages in pages, in one order. */
import type { Reader } from '../../../database/database.ts';
import type { Page, PageStart } from '../../../lib/routes/pagination.ts';
import { isEmailAddress } from '../../../lib/text/normalize.ts';
import {
  type MessageFilter,
  type MessageRange,
  type MessageRow,
  readEnded,
  readEndedInState,
  readEndedTo,
  readQueued,
  readQueuedTo,
  readSending,
} from './queries.ts';

/** The last message of a page. */
export type MessagePosition = Pick<MessageRange, 'createdAt' | 'id'>;

export interface MessagePageRequest extends PageStart<MessagePosition> {
  readonly filter: MessageFilter;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Messages that one page reads at most, if a filter is not one of an index. */
const MAX_READ = 500;
/** The latest time of a date. */
const END_OF_TIME = 8_640_000_000_000_000;

/**
 * Returns messages that match, the newest first. The work of a page is bounded: with a part of an address, a page may
 * have fewer messages than `limit`, or none, although others follow.
 */
export async function listMessages(
  reader: Reader,
  request: MessagePageRequest,
): Promise<Page<MessageRow, MessagePosition>> {
  const { filter, limit } = request;
  const range = toRange(request);
  const read = await readMessages(reader, range);
  const matching = read.filter((message) => matches(message, filter));
  const rows = matching.slice(0, limit);
  if (matching.length > limit) return { rows, next: toPosition(rows.at(-1)!) };
  return { rows, next: read.length < range.limit ? null : toPosition(read.at(-1)!) };
}

function toPosition({ created_at: createdAt, id }: MessageRow): MessagePosition {
  return { createdAt, id };
}

function toRange({ filter, after, limit, now }: MessagePageRequest): MessageRange {
  // The least of all texts: messages of the time itself are not before it.
  const end = { createdAt: filter.to ?? END_OF_TIME, id: '' };
  const before = after !== null && after.createdAt < end.createdAt ? after : end;
  const isInIndexes = filter.recipient === null && filter.state === null;
  return { ...filter, ...before, from: filter.from ?? 0, limit: isInIndexes ? limit + 1 : MAX_READ, now };
}

/** Returns the newest of the messages among which all that match are. */
async function readMessages(reader: Reader, range: MessageRange): Promise<MessageRow[]> {
  // The queue first: a message that ends in between is then in both, and not in neither.
  const queued = await readFromQueue(reader, range);
  const ended = await readFromEnded(reader, range);
  const endedIds = new Set(ended.map(({ id }) => id));
  return [...queued.filter(({ id }) => !endedIds.has(id)), ...ended].sort(byTime).slice(0, range.limit);
}

function byTime(a: MessageRow, b: MessageRow): number {
  return b.created_at - a.created_at || (a.id < b.id ? 1 : -1);
}

async function readFromQueue(reader: Reader, range: MessageRange): Promise<MessageRow[]> {
  const { state, recipient } = range;
  if (recipient !== null && isEmailAddress(recipient)) return readQueuedTo(reader, range);
  if (state === 'sending') return readSending(reader, range);
  return state === null || state === 'waiting' ? readQueued(reader, range) : [];
}

async function readFromEnded(reader: Reader, range: MessageRange): Promise<MessageRow[]> {
  const { state, recipient } = range;
  if (state === 'waiting' || state === 'sending') return [];
  if (recipient !== null && isEmailAddress(recipient)) return readEndedTo(reader, range);
  return state === null ? readEnded(reader, range) : readEndedInState(reader, range);
}

function matches({ state, email_key }: MessageRow, filter: MessageFilter): boolean {
  if (filter.state !== null && state !== filter.state) return false;
  return filter.recipient === null || email_key.includes(filter.recipient);
}
