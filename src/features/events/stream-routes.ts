/** The stream of events: server-sent events for programs that follow the feed. */
import type { IncomingHttpHeaders } from 'node:http';
import { getAdminCaller } from '../../callers/callers.ts';
import type { Database } from '../../database/database.ts';
import type { Log } from '../../lib/log/log.ts';
import type { Pagination } from '../../lib/routes/pagination.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { describeContent } from '../../plugins/openapi/describe-response.ts';
import { EventFeed } from './event-feed.ts';
import { thinEventView } from './event-view.ts';
import { type EventPosition, FEED, rejectEarlierCursor, toPosition, toScope } from './list/list-events.ts';
import type { Numbering } from './numbering/numbering.ts';
import type { ThinEventRow } from './queries.ts';

export interface EventStreamDeps {
  readonly database: Database;
  readonly logger: Log;
  readonly numbering: Numbering;
  readonly pagination: Pagination;
}

const MEDIA_TYPE = 'text/event-stream';
/** After which clients connect again. */
const RETRY_MS = 3_000;

const streamEventsOperation = {
  operationId: 'streamEvents',
  tags: ['Events'],
  summary: 'Stream events',
  description:
    'Sends events as they are recorded, as server-sent events, the oldest first. The data of each is a JSON object with `id`, `type`, `time`, `subject` and `sequence`; its id is a cursor, also of the list with `order=time`. A new stream begins with events that are still to come, or after `cursor`; a client that connects again sends the last id as `Last-Event-ID`. A comment comes at least every 15 seconds. A client that reads nothing for two minutes is disconnected. A credential can have 20 streams open on a node.',
  querystring: {
    type: 'object',
    properties: {
      cursor: {
        type: 'string',
        minLength: 1,
        description:
          'Begins after this position: `next_cursor` of the list with `order=time` without a filter.',
      },
    },
  },
  headers: {
    type: 'object',
    properties: {
      'Last-Event-ID': {
        type: 'string',
        description: 'The id of the last event that was read. Replaces `cursor`.',
      },
    },
  },
  response: {
    200: describeContent(
      MEDIA_TYPE,
      { type: 'string' },
      {
        description: 'The events, until the client disconnects or the service stops.',
        headers: { 'X-Accel-Buffering': '`no`: proxies pass events on at once.' },
      },
    ),
  },
} as const;

const streamEventsRoute = {
  schema: streamEventsOperation,
  config: {
    access: 'admin',
    scope: 'events:read',
    problems: ['invalid_cursor', 'events_expired', 'too_many_streams'],
  },
} as const;

const SCOPE = toScope(FEED);

export const eventStream: FeaturePlugin<EventStreamDeps> = async (app, deps) => {
  const { numbering, pagination } = deps;
  const toCursor = (number: number, digest: string) => pagination.format(toPosition(number, digest), SCOPE);
  /** Browsers send no Last-Event-ID, or an empty one before the first event. */
  const readPosition = (headers: IncomingHttpHeaders, cursor: string | undefined) => {
    const given = headers['last-event-id'] || cursor;
    if (given === undefined) return null;
    rejectEarlierCursor(String(given));
    return pagination.parse<EventPosition>(String(given), SCOPE);
  };
  const formatEvent = (event: ThinEventRow) =>
    `id: ${toCursor(event.number, event.digest)}\ndata: ${JSON.stringify(thinEventView(event))}\n\n`;
  const format = (events: readonly ThinEventRow[]) =>
    Buffer.from(
      events
        .filter(({ type }) => type !== null)
        .map(formatEvent)
        .join(''),
    );
  const feed = new EventFeed({ ...deps, format });
  app.addHook('preClose', async () => feed.close());
  app.get('/api/v1/events/stream', streamEventsRoute, async (request, reply) => {
    const after = readPosition(request.headers, request.query.cursor);
    const { id, name } = getAdminCaller(request).credential;
    await numbering.flush();
    const { stream, number, digest } = await feed.open(id ?? name, after);
    // With an id before the first event, a client that is disconnected early resumes there.
    stream.push(`retry: ${RETRY_MS}\nid: ${toCursor(number, digest)}\n\n`);
    reply.header('content-type', MEDIA_TYPE).header('x-accel-buffering', 'no');
    return reply.sendStream(stream, () => stream.end());
  });
};
