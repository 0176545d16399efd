/** Routes that list the security events of an account, for its user and the administrator. */

import { getUserCaller } from '../../callers/callers.ts';
import type { Database } from '../../database/database.ts';
import type { FeaturePlugin } from '../../lib/routes/feature-plugin.ts';
import { readLimit } from '../../lib/routes/pagination.ts';
import { getQuery } from '../../lib/routes/query.ts';
import { timestamp } from '../../lib/time/clock.ts';
import { describeResponse } from '../../plugins/openapi/describe-response.ts';
import { Problem } from '../../problems/problem.ts';
import {
  latestEvents,
  latestEventsOfAll,
  type SecurityEventRow,
  type UserEventRow,
} from '../events/queries.ts';
import { findUser } from '../users/queries.ts';
import { parseUserId } from '../users/rules.ts';
import { listParameters, userIdSchema } from '../users/schemas.ts';
import * as examples from './examples.ts';
import { securityEventListSchema, userEventListSchema } from './schemas.ts';

interface Deps {
  readonly database: Database;
}

const MAX_EVENTS = 100;

const response = {
  200: describeResponse(securityEventListSchema, {
    description: `At most ${MAX_EVENTS} events, newest first.`,
    examples: { events: examples.securityEvents },
  }),
};

const listOwnSecurityEventsOperation = {
  operationId: 'listOwnSecurityEvents',
  tags: ['Accounts'],
  summary: 'List own security events',
  description: 'Returns what happened to the account: logins, new passwords, revoked tokens and the like.',
  response,
} as const;

const listSecurityEventsOperation = {
  operationId: 'listSecurityEvents',
  tags: ['Users'],
  summary: "List a user's security events",
  params: userIdSchema,
  response,
} as const;

async function findEvents(database: Database, userId: string): Promise<object> {
  const events = await latestEvents(database, userId, MAX_EVENTS);
  return { message: 'Security events', data: events.map(eventView) };
}

function eventView({ id, kind, actor, created_at, occurrences, last_at }: SecurityEventRow) {
  const last = last_at === null ? null : timestamp(last_at);
  return { id, kind, actor, created_at: timestamp(created_at), occurrences, last_at: last };
}

const listLatestSecurityEventsOperation = {
  operationId: 'listLatestSecurityEvents',
  tags: ['Administration'],
  summary: 'List the latest security events of all users',
  description: 'Events are kept for 180 days, the last 1,000 of a user, and deleted with their user.',
  querystring: { type: 'object', properties: { limit: listParameters.limit } },
  response: {
    200: describeResponse(userEventListSchema, {
      description: 'The events, newest first.',
      examples: { events: examples.userEvents },
    }),
  },
} as const;

function userEventView(event: UserEventRow) {
  const { user_id: id, email, name } = event;
  return { ...eventView(event), user: { id, email, name } };
}

export const securityEvents: FeaturePlugin<Deps> = async (app, { database }) => {
  app.get(
    '/api/v1/me/security-events',
    { schema: listOwnSecurityEventsOperation, config: { access: 'user', scope: 'self:read' } },
    (request) => findEvents(database, getUserCaller(request).userId),
  );

  app.get(
    '/api/v1/users/:id/security-events',
    { schema: listSecurityEventsOperation, config: { access: 'admin', problems: ['user_not_found'] } },
    async ({ params }) => {
      const id = parseUserId(params.id);
      if ((await findUser(database, id)) === undefined) throw new Problem('user_not_found');
      return findEvents(database, id);
    },
  );

  app.get(
    '/api/v1/admin/security-events',
    { schema: listLatestSecurityEventsOperation, config: { access: 'admin', problems: ['invalid_limit'] } },
    async (request) => {
      const events = await latestEventsOfAll(database, readLimit(getQuery(request).limit));
      return { message: 'Security events', data: events.map(userEventView) };
    },
  );
};
