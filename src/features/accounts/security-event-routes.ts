/** Routes that list the security events of an account, for its user and the administrator. */
import type { Database } from '../../database/database.ts';
import { readLimit } from '../../http/request/pagination.ts';
import { type HandlerResponse, type Route, route } from '../../http/route.ts';
import { timestamp } from '../../lib/clock.ts';
import { Problem } from '../../problems.ts';
import {
  latestEvents,
  latestEventsOfAll,
  type SecurityEventRow,
  type UserEventRow,
} from '../security-events/queries.ts';
import { findUser } from '../users/queries.ts';
import { parseUserId } from '../users/rules.ts';
import { listParameters, userIdSchema } from '../users/schemas.ts';
import * as examples from './examples.ts';
import { securityEventListSchema, userEventListSchema } from './schemas.ts';

interface Deps {
  readonly database: Database;
}

const MAX_EVENTS = 100;

export function securityEventRoutes(deps: Deps): Route[] {
  return [ownEventsRoute(deps), userEventsRoute(deps), allEventsRoute(deps)];
}

const responses = {
  200: {
    description: `At most ${MAX_EVENTS} events, newest first.`,
    schema: securityEventListSchema,
    examples: { events: examples.securityEvents },
  },
};

function ownEventsRoute({ database }: Deps): Route {
  return route({
    method: 'GET',
    path: '/api/v1/me/security-events',
    operationId: 'listOwnSecurityEvents',
    tag: 'Accounts',
    summary: 'List own security events',
    description: 'Returns what happened to the account: logins, new passwords, revoked tokens and the like.',
    access: 'user',
    scope: 'self:read',
    responses,
    handle: ({ caller }) => eventsResponse(database, caller.userId),
  });
}

function userEventsRoute({ database }: Deps): Route {
  return route({
    method: 'GET',
    path: '/api/v1/users/{id}/security-events',
    operationId: 'listSecurityEvents',
    tag: 'Users',
    summary: "List a user's security events",
    access: 'admin',
    params: userIdSchema,
    responses,
    problems: ['user_not_found'],
    handle: async ({ params }) => {
      const id = parseUserId(params.id);
      if ((await findUser(database, id)) === undefined) throw new Problem('user_not_found');
      return eventsResponse(database, id);
    },
  });
}

async function eventsResponse(database: Database, userId: string): Promise<HandlerResponse> {
  const events = await latestEvents(database, userId, MAX_EVENTS);
  return { status: 200, body: { message: 'Security events', data: events.map(eventView) } };
}

function eventView({ id, kind, actor, created_at, occurrences, last_at }: SecurityEventRow) {
  const last = last_at === null ? null : timestamp(last_at);
  return { id, kind, actor, created_at: timestamp(created_at), occurrences, last_at: last };
}

function allEventsRoute({ database }: Deps): Route {
  return route({
    method: 'GET',
    path: '/api/v1/admin/security-events',
    operationId: 'listLatestSecurityEvents',
    tag: 'Administration',
    summary: 'List the latest security events of all users',
    description: 'Events are kept for 180 days, the last 1,000 of a user, and deleted with their user.',
    access: 'admin',
    query: { limit: listParameters.limit },
    responses: {
      200: {
        description: 'The events, newest first.',
        schema: userEventListSchema,
        examples: { events: examples.userEvents },
      },
    },
    problems: ['invalid_limit'],
    handle: async ({ query }) => {
      const events = await latestEventsOfAll(database, readLimit(query.limit));
      return { status: 200, body: { message: 'Security events', data: events.map(userEventView) } };
    },
  });
}

function userEventView(event: UserEventRow) {
  const { user_id: id, email, name } = event;
  return { ...eventView(event), user: { id, email, name } };
}
