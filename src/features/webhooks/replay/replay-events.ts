/** Delivers events again: single ones at once, those of a time in the background. */
import type { Reader, Tx } from '../../../database/database.ts';
import { type Clock, MINUTE } from '../../../lib/time/clock.ts';
import { Problem } from '../../../problems/problem.ts';
import { validationFailed } from '../../../problems/validation-failed.ts';
import { readChain } from '../../events/queries.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueueDeliveries } from '../deliveries/enqueue-deliveries.ts';
import { lockEnabled } from '../deliveries/lock-enabled.ts';
import { endpointSubject } from '../rules.ts';
import { findEventFrom, readEventsById, startReplay } from './queries.ts';
import type { ReplayedSpan, ReplaySelection } from './rules.ts';

/** Numbers follow the order of commits: an event is numbered at most this much later than events after its time. */
const MAX_DELAY_MS = MINUTE;

export interface ReplayedEvents {
  readonly endpointId: string;
  readonly selection: ReplaySelection;
}

/**
 * Returns the number of events: that of the span, of which those of the endpoint's types are delivered.
 * @throws Problem webhook_not_found, webhook_disabled, webhook_replay_running, validation_failed
 */
export async function replayEvents(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  { endpointId, selection }: ReplayedEvents,
): Promise<number> {
  await lockEnabled(tx, endpointId);
  const now = clock();
  const events =
    'eventIds' in selection
      ? await replaySingle(tx, selection.eventIds, { endpointId, now })
      : await replaySpan(tx, endpointId, selection);
  const subject = endpointSubject(endpointId);
  await recordEvent(tx, { type: 'webhook.replayed', subject, details: { events }, now });
  return events;
}

async function replaySpan(tx: Tx, endpointId: string, { from, to }: ReplayedSpan): Promise<number> {
  const { first, last } = await findNumbers(tx, from, to);
  if (first > last) return 0;
  if (!(await startReplay(tx, endpointId, { first, last, from, to })))
    throw new Problem('webhook_replay_running');
  return last - first + 1;
}

async function replaySingle(
  tx: Tx,
  ids: readonly string[],
  target: { readonly endpointId: string; readonly now: number },
): Promise<number> {
  const events = await readEventsById(tx, ids);
  const unknown = ids.filter((id) => events.every((event) => event.id !== id));
  if (unknown.length > 0)
    throw validationFailed({
      event_ids: [`The event_ids field names events that do not exist: ${unknown}.`],
    });
  return (await enqueueDeliveries(tx, target, events)).length;
}

async function findNumbers(tx: Tx, from: number, to: number) {
  const { number: head, deleted_number } = await readChain(tx);
  const span = { low: deleted_number + 1, high: head + 1 };
  const first = await findFirstSince(tx, from - MAX_DELAY_MS, span);
  const last = (await findFirstSince(tx, to + MAX_DELAY_MS, { ...span, low: first })) - 1;
  return { first, last };
}

/** Returns the first number of the span whose event has happened at `time` or later, or its end: a binary search. */
async function findFirstSince(
  reader: Reader,
  time: number,
  { low, high }: { readonly low: number; readonly high: number },
): Promise<number> {
  let [start, end] = [low, high];
  while (start < end) {
    const middle = Math.floor((start + end) / 2);
    const event = await findEventFrom(reader, middle);
    if (event === undefined || event.created_at >= time) end = middle;
    else start = event.number + 1;
  }
  return start;
}
