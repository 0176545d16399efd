/** Routes of events. */
import type { FastifyReply } from 'fastify';
import { getUserCaller } from '../../callers/callers.ts';
import type { Database, DatabaseDeps } from '../../database/database.ts';
import type { Page, PageRequest, PageStart, Pagination } from '../../lib/routes/pagination.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { formatTimestamp } from '../../lib/time.ts';
import { defineList, describeContent, pageQuery } from '../../plugins/openapi/describe-response.ts';
import { preferredType } from '../../plugins/problems/negotiation.ts';
import { CLOUD_EVENTS_TYPE, cloudEventView, eventView, formatEventTime, ownEventView } from './event-view.ts';
import * as examples from './list/examples.ts';
import { type FoldedEvent, listFoldedEvents, listSingleEvents } from './list/fold-events.ts';
import {
  createExportEvents,
  type EventPageRequest,
  type EventPosition,
  FEED,
  findSubjects,
  listEvents,
  rejectEarlierCursor,
  toEventList,
  toPosition,
  toScope,
} from './list/list-events.ts';
import { MAX_EXAMINED } from './list/queries.ts';
import { eventListResponse, foldParameter, listQuerySchema } from './list/schemas.ts';
import type { Numbering } from './numbering/numbering.ts';
import { findDigest, readChain } from './queries.ts';
import { formatUserSubject } from './record-event.ts';
import { type EventStreamDeps, eventStream } from './stream-routes.ts';

export const events: FeaturePlugin<EventListDeps & EventStreamDeps> = async (app, deps) => {
  await app.register(allEvents, deps);
  await app.register(ownEvents, deps);
  await app.register(eventExport, deps);
  await app.register(eventStream, deps);
};

export interface EventListDeps extends DatabaseDeps {
  readonly numbering: Numbering;
  readonly pagination: Pagination;
  readonly publicUrl: string;
}

const listEventsOperation = {
  operationId: 'listEvents',
  tags: ['Events'],
  summary: 'List events',
  description: `Returns what has happened, the newest first, or with \`order=time\` the oldest first for programs that follow the events. With \`Accept: ${CLOUD_EVENTS_TYPE}\`, the page is a batch of CloudEvents without personal data, and the next page is in \`Link\`. A request examines at most ${MAX_EXAMINED} events, so a page may have fewer events than \`limit\`, or none: only \`next_cursor\` tells whether there are more.`,
  querystring: pageQuery({ ...listQuerySchema.properties, fold: foldParameter }),
  response: { 200: eventListResponse },
} as const;

const listOwnEventsOperation = {
  operationId: 'listOwnEvents',
  tags: ['Events'],
  summary: 'List own events',
  description:
    'Returns what happened to the account, newest first: logins, new passwords, revoked tokens, changes by the administrator and the like.',
  ...defineList(
    {},
    { $ref: 'OwnEvent' },
    { description: 'The events.', examples: { events: examples.ownEvents } },
  ),
} as const;

const MEDIA_TYPES = ['application/json', CLOUD_EVENTS_TYPE] as const;

async function readEvents<Row>(
  { database, numbering }: EventListDeps,
  request: EventPageRequest,
  list: (reader: Database, request: EventPageRequest) => Promise<Page<Row, number>>,
): Promise<Page<Row, EventPosition>> {
  await numbering.flush();
  const { rows, next } = await list(database, request);
  if (next === null) return { rows, next };
  const found = await findDigest(database, next, await readChain(database));
  return { rows, next: toPosition(next, found ?? '') };
}

function foldedView({ count, firstAt, lastAt }: FoldedEvent) {
  if (count === 1) return null;
  return { events: count, first_at: formatEventTime(firstAt), last_at: formatEventTime(lastAt) };
}

const allEvents: FeaturePlugin<EventListDeps> = async (app, deps) => {
  const { database, pagination, publicUrl } = deps;
  const problems = ['invalid_limit', 'invalid_cursor', 'invalid_filter', 'events_expired'] as const;
  app.get(
    '/api/v1/events',
    { schema: listEventsOperation, config: { access: 'admin', scope: 'events:read', problems } },
    async ({ query, headers }, reply) => {
      const list = toEventList(query);
      if (list.order === 'time') rejectEarlierCursor(query.cursor ?? '');
      const isBatch = preferredType(headers.accept, MEDIA_TYPES) === CLOUD_EVENTS_TYPE;
      const read = query.fold === 'true' && !isBatch ? listFoldedEvents : listSingleEvents;
      const { rows, next_cursor } = await pagination.readPage(reply, {
        query,
        path: '/api/v1/events',
        scope: toScope(list),
        read: (start: PageStart<EventPosition>) => readEvents(deps, { ...list, ...start }, read),
      });
      const events = rows.map(({ event }) => event);
      if (isBatch)
        return reply.type(CLOUD_EVENTS_TYPE).send(events.map((event) => cloudEventView(event, publicUrl)));
      const users = await findSubjects(database, events);
      const data = rows.map((row) => ({ ...eventView(row.event, users), folded: foldedView(row) }));
      return reply.send({ message: 'Events', data, next_cursor });
    },
  );
};

/** Reads a page of the events of a user, the newest first. */
export function readUserEvents(
  reply: FastifyReply,
  deps: EventListDeps,
  {
    userId,
    ...request
  }: Pick<PageRequest<unknown, EventPosition>, 'path' | 'query'> & { readonly userId: string },
) {
  const list = { filter: { ...FEED.filter, subject: formatUserSubject(userId) }, order: '-time' } as const;
  const read = (start: PageStart<EventPosition>) => readEvents(deps, { ...list, ...start }, listEvents);
  return deps.pagination.readPage(reply, { ...request, scope: toScope(list), read });
}

export const ownEvents: FeaturePlugin<EventListDeps> = async (app, deps) => {
  const path = '/api/v1/me/events';
  app.get(
    path,
    { schema: listOwnEventsOperation, config: { access: 'user', scope: 'self:read' } },
    async (request, reply) => {
      const { userId } = getUserCaller(request);
      const { rows, next_cursor } = await readUserEvents(reply, deps, { userId, path, query: request.query });
      return { message: 'Events', data: rows.map(ownEventView), next_cursor };
    },
  );
};

const MEDIA_TYPE = 'application/x-ndjson';

const exportEventsOperation = {
  operationId: 'exportEvents',
  tags: ['Events'],
  summary: 'Export events as NDJSON',
  description:
    'Returns the events that the same filters of the list have at the start, without a limit. A transfer that ends without its last chunk is incomplete. A node runs two exports at a time.',
  querystring: listQuerySchema,
  response: {
    200: describeContent(
      MEDIA_TYPE,
      { type: 'string' },
      {
        description: 'A line for each event, with a JSON object like those of the list.',
        headers: { 'Content-Disposition': 'Name of the file, with the UTC date.' },
      },
    ),
  },
} as const;

const eventExport: FeaturePlugin<EventListDeps> = async (app, { database, clock, numbering }) => {
  const exportEvents = createExportEvents({ database, clock });
  app.get(
    '/api/v1/events/export',
    {
      schema: exportEventsOperation,
      config: {
        access: 'admin',
        scope: 'events:read',
        recentSignIn: 'always',
        problems: ['invalid_filter'],
        isRecorded: true,
      },
    },
    async ({ query }, reply) => {
      await numbering.flush();
      const stream = await exportEvents(toEventList(query));
      const date = formatTimestamp(clock()).slice(0, 10);
      reply.type(MEDIA_TYPE).header('content-disposition', `attachment; filename="events-${date}.ndjson"`);
      return reply.sendStream(stream);
    },
  );
};
