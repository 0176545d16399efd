/** Sends new events to all streams of this process: one poller reads them once for all. */
import { Problem } from '../../../problems/problem.ts';
import type { EventPosition } from '../list/event-cursors.ts';
import { checkPosition } from '../list/list-events.ts';
import { findDigest, readChain, readThinEvents } from '../queries.ts';
import { BATCH_SIZE, EventPoller, type PollerOptions } from './event-poller.ts';
import { EventStream } from './event-stream.ts';

export interface EventFeed {
  /**
   * Opens a stream that begins after this event; null: with events that are still to come. `owner` identifies the
   * credential. Returns it with the digest of the event before its first one.
   * @throws Problem events_expired, too_many_streams, service_unavailable (the node has no room, or the service stops)
   */
  open(
    owner: string,
    after: EventPosition | null,
  ): Promise<{ readonly stream: EventStream; readonly digest: string }>;
  /** Ends all streams. */
  close(): void;
}

/** Streams that are open on this node. */
const MAX_STREAMS = 200;
const MAX_STREAMS_PER_CREDENTIAL = 20;
const RETRY_SECONDS = 10;

export function createEventFeed(options: PollerOptions): EventFeed {
  const { database, format } = options;
  const poller = new EventPoller(options);
  let isClosed = false;
  /** Sends earlier events until the client is as far as the poller, and then those of the poller. */
  const catchUp = async (stream: EventStream) => {
    while (stream.position < poller.position) {
      const range = { low: stream.position, high: poller.position };
      const events = await readThinEvents(database, range, BATCH_SIZE);
      // Numbers have no gaps: events were deleted meanwhile, and the client learns it when it resumes.
      if (events[0]?.number !== range.low + 1) return stream.end();
      stream.position = events.at(-1)!.number;
      if (!stream.send(format(events))) return;
    }
    stream.isLive = true;
  };
  return {
    open: async (owner, after) => {
      const chain = await readChain(database);
      if (after !== null) await checkPosition(database, after, chain);
      const position = after?.number ?? chain.number;
      const digest = (await findDigest(database, position, chain)) ?? '';
      if (isClosed) throw new Problem('service_unavailable');
      rejectIfFull(poller.streams, owner);
      poller.start(chain.number);
      const stream = new EventStream({ owner, position, catchUp });
      poller.add(stream);
      return { stream, digest };
    },
    close: () => {
      isClosed = true;
      for (const stream of poller.streams) stream.end();
    },
  };
}

function rejectIfFull(streams: ReadonlySet<EventStream>, owner: string): void {
  const retry = { retryAfterSeconds: RETRY_SECONDS };
  if (streams.size >= MAX_STREAMS) throw new Problem('service_unavailable', retry);
  const own = streams.values().filter((stream) => stream.owner === owner);
  if ([...own].length >= MAX_STREAMS_PER_CREDENTIAL) throw new Problem('too_many_streams', retry);
}
