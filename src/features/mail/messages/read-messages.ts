/** Reads one message with its text. */
import type { Reader } from '../../../database/database.ts';
import type { PageStart } from '../../../lib/routes/pagination.ts';
import { isId } from '../../../lib/secrets/ids.ts';
import { isEmailAddress } from '../../../lib/text/normalize.ts';
import { END_OF_TIME } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import type { Texts } from '../../texts/texts.ts';
import { findUser } from '../../users/records/queries.ts';
import { toMailContent } from '../content/prepare-mail.ts';
import { renderMail } from '../content/render-mail.ts';
import type { ContentSeal, MessageContent } from '../delivery/message.ts';
import * as queries from './queries.ts';

/** Stands for the token of a link. */
const MASK = '••••';

interface MessageTextDeps {
  readonly publicUrl: string;
  readonly settings: CurrentSettingsSource;
  readonly texts: Texts;
  /** Decrypts the texts of messages that were logged; null where messages are sent, or the caller may not see them. */
  readonly contents: ContentSeal | null;
}

/** @throws Problem mail_not_found */
export async function findMessage(reader: Reader, id: string, now: number): Promise<queries.StoredMessage> {
  const found = isId(id)
    ? ((await queries.findQueued(reader, { id, now })) ?? (await queries.findEnded(reader, id)))
    : undefined;
  if (found === undefined) throw new Problem('mail_not_found');
  return found;
}

/**
 * Returns the text of a message, in which the token of its link is masked. A message that waits or can be sent again has
 * the text that would be sent now, and one that was sent has that as well; where messages are logged, as it was logged,
 * for some time. Null for one that was dropped.
 */
export async function renderText(
  reader: Reader,
  deps: MessageTextDeps,
  message: queries.StoredMessage,
): Promise<MessageContent | null> {
  const { id, content, data } = message;
  const kept = content === null || deps.contents === null ? null : deps.contents.unseal(id, content);
  if (kept !== null) return { ...kept, text: maskLink(kept) };
  return data === null ? null : { text: await preview(reader, deps, { ...message, data }), link: null };
}

function maskLink({ text, link }: MessageContent): string {
  return link === null ? text : text.replaceAll(link, link.replace(/[^/]*$/, MASK));
}

async function preview(
  reader: Reader,
  { publicUrl: baseUrl, settings, texts }: MessageTextDeps,
  mail: queries.StoredMessage & { readonly data: string },
): Promise<string> {
  const user = mail.user_id === null ? undefined : await findUser(reader, mail.user_id);
  const content = toMailContent({ baseUrl, settings }, { mail, user: user ?? null, token: MASK });
  return (await renderMail(texts, content)).text;
}

export type MessagePosition = Pick<queries.MessageRange, 'createdAt' | 'id'>;

interface MessagePageRequest extends PageStart<MessagePosition> {
  readonly filter: queries.MessageFilter;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Messages that one page reads at most, if a filter is not one of an index. */
const MAX_READ = 500;

/**
 * Returns messages that match, the newest first. The work of a page is bounded: with a part of an address, a page may
 * have fewer messages than `limit`, or none, although others follow.
 */
export async function listMessages(reader: Reader, request: MessagePageRequest) {
  const { filter, limit } = request;
  const range = toRange(request);
  const read = await readMessages(reader, range);
  const matching = read.filter((message) => matches(message, filter));
  const rows = matching.slice(0, limit);
  if (matching.length > limit) return { rows, next: toPosition(rows.at(-1)!) };
  return { rows, next: read.length < range.limit ? null : toPosition(read.at(-1)!) };
}

function toPosition({ created_at: createdAt, id }: queries.MessageRow): MessagePosition {
  return { createdAt, id };
}

function toRange({ filter, after, limit, now }: MessagePageRequest): queries.MessageRange {
  // The least of all texts: messages of the time itself are not before it.
  const end = { createdAt: filter.to ?? END_OF_TIME, id: '' };
  const before = after !== null && after.createdAt < end.createdAt ? after : end;
  const isInIndexes = filter.recipient === null && filter.state === null;
  return { ...filter, ...before, from: filter.from ?? 0, limit: isInIndexes ? limit + 1 : MAX_READ, now };
}

/** Returns the newest of the messages among which all that match are. */
async function readMessages(reader: Reader, range: queries.MessageRange): Promise<queries.MessageRow[]> {
  // The queue first: a message that ends in between is then in both, and not in neither.
  const queued = await readFromQueue(reader, range);
  const ended = await readFromEnded(reader, range);
  const endedIds = new Set(ended.map(({ id }) => id));
  return [...queued.filter(({ id }) => !endedIds.has(id)), ...ended].sort(byTime).slice(0, range.limit);
}

function byTime(a: queries.MessageRow, b: queries.MessageRow): number {
  return b.created_at - a.created_at || (a.id < b.id ? 1 : -1);
}

async function readFromQueue(reader: Reader, range: queries.MessageRange): Promise<queries.MessageRow[]> {
  const { state, recipient } = range;
  if (recipient !== null && isEmailAddress(recipient)) return queries.readQueuedTo(reader, range);
  if (state === 'sending') return queries.readSending(reader, range);
  return state === null || state === 'waiting' ? queries.readQueued(reader, range) : [];
}

async function readFromEnded(reader: Reader, range: queries.MessageRange): Promise<queries.MessageRow[]> {
  const { state, recipient } = range;
  if (state === 'waiting' || state === 'sending') return [];
  if (recipient !== null && isEmailAddress(recipient)) return queries.readEndedTo(reader, range);
  return state === null ? queries.readEnded(reader, range) : queries.readEndedInState(reader, range);
}

function matches({ state, email_key }: queries.MessageRow, filter: queries.MessageFilter): boolean {
  if (filter.state !== null && state !== filter.state) return false;
  return filter.recipient === null || email_key.includes(filter.recipient);
}
