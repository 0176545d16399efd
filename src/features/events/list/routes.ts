/** Routes that list events: for the administrator, and of the own account. */
import type { FastifyReply } from 'fastify';
import { getUserCaller } from '../../../callers/callers.ts';
import type { Database } from '../../../database/database.ts';
import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { type PageLinks, type Pagination, pageLinks } from '../../../lib/routes/pagination.ts';
import { getQuery, type Query } from '../../../lib/routes/query.ts';
import { describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { preferredType } from '../../../plugins/problems/negotiation.ts';
import { eventView, ownEventView } from '../event-view.ts';
import type { Numbering } from '../numbering/numbering.ts';
import { userSubject } from '../record-event.ts';
import { CLOUD_EVENTS_TYPE, cloudEventView } from './cloud-events.ts';
import { createEventCursor, type EventList, FEED, readEventPage } from './event-cursors.ts';
import * as examples from './examples.ts';
import { type EventPage, findSubjects, listEvents } from './list-events.ts';
import { listParameters, readEventFilter, readEventOrder } from './read-filter.ts';
import {
  eventListResponse,
  filterParameters,
  orderParameter,
  ownEventListSchema,
  pageParameters,
} from './schemas.ts';

export interface EventListDeps {
  readonly database: Database;
  readonly numbering: Numbering;
  readonly pagination: Pagination;
  readonly publicUrl: string;
}

const listEventsOperation = {
  operationId: 'listEvents',
  tags: ['Events'],
  summary: 'List events',
  description: `Returns what has happened, the newest first, or with \`order=time\` the oldest first for programs that follow the events. With \`Accept: ${CLOUD_EVENTS_TYPE}\`, the page is a batch of CloudEvents without personal data, and the next page is in \`Link\`.`,
  querystring: {
    type: 'object',
    properties: { ...filterParameters, order: orderParameter, ...pageParameters },
  },
  response: { 200: eventListResponse },
} as const;

const listOwnEventsOperation = {
  operationId: 'listOwnEvents',
  tags: ['Events'],
  summary: 'List own events',
  description:
    'Returns what happened to the account, newest first: logins, new passwords, revoked tokens, changes by the administrator and the like.',
  querystring: { type: 'object', properties: pageParameters },
  response: {
    200: describeResponse(ownEventListSchema, {
      description: 'The events.',
      headers: { Link: 'URLs of the next and the first page, if there is more than one (RFC 8288).' },
      examples: { events: examples.ownEvents },
    }),
  },
} as const;

const MEDIA_TYPES = ['application/json', CLOUD_EVENTS_TYPE] as const;

interface SentPage extends EventPage {
  readonly limit: number;
  readonly isFirst: boolean;
  readonly nextCursor: string | null;
}

async function readPage(deps: EventListDeps, query: Query, list: EventList): Promise<SentPage> {
  const { database, numbering, pagination } = deps;
  const { limit, after } = readEventPage(pagination, query, list);
  await numbering.flush();
  const page = await listEvents(database, { ...list, after, limit });
  const nextCursor = page.next === null ? null : createEventCursor(pagination, page.next, list);
  return { ...page, limit, isFirst: after === null, nextCursor };
}

function setLink(reply: FastifyReply, page: SentPage, list: Pick<PageLinks, 'url' | 'parameters'>): void {
  const link = pageLinks({ ...list, ...page });
  if (link !== undefined) reply.header('link', link);
}

const allEvents: FeaturePlugin<EventListDeps> = async (app, deps) => {
  const { database, publicUrl } = deps;
  const url = `${publicUrl}/api/v1/events`;
  const problems = ['invalid_limit', 'invalid_cursor', 'invalid_filter', 'events_expired'] as const;
  app.get(
    '/api/v1/events',
    { schema: listEventsOperation, config: { access: 'admin', scope: 'events:read', problems } },
    async (request, reply) => {
      const query = getQuery(request);
      const list = { filter: readEventFilter(query), order: readEventOrder(query) };
      const page = await readPage(deps, query, list);
      setLink(reply, page, { url, parameters: listParameters(query) });
      const { events, nextCursor } = page;
      if (preferredType(request.headers.accept, MEDIA_TYPES) === CLOUD_EVENTS_TYPE)
        return reply.type(CLOUD_EVENTS_TYPE).send(events.map((event) => cloudEventView(event, publicUrl)));
      const users = await findSubjects(database, events);
      const data = events.map((event) => eventView(event, users));
      return reply.send({ message: 'Events', data, next_cursor: nextCursor });
    },
  );
};

const ownEvents: FeaturePlugin<EventListDeps> = async (app, deps) => {
  const url = `${deps.publicUrl}/api/v1/me/events`;
  const problems = ['invalid_limit', 'invalid_cursor'] as const;
  app.get(
    '/api/v1/me/events',
    { schema: listOwnEventsOperation, config: { access: 'user', scope: 'self:read', problems } },
    async (request, reply) => {
      const subject = userSubject(getUserCaller(request).userId);
      const list = { filter: { ...FEED.filter, subject }, order: '-time' } as const;
      const page = await readPage(deps, getQuery(request), list);
      setLink(reply, page, { url, parameters: {} });
      return { message: 'Events', data: page.events.map(ownEventView), next_cursor: page.nextCursor };
    },
  );
};

/** Registers both lists. */
export const eventLists: FeaturePlugin<EventListDeps> = async (app, deps) => {
  await app.register(allEvents, deps);
  await app.register(ownEvents, deps);
};
