/** Routes that list security events for the administrator: of one user, and of all. */
import type { FeaturePlugin } from '../../lib/routes/feature-plugin.ts';
import { toLimit } from '../../lib/routes/pagination.ts';
import { limitParameter } from '../../lib/schema/parameters.ts';
import { describeResponse } from '../../plugins/openapi/describe-response.ts';
import { Problem } from '../../problems/problem.ts';
import { findEvents, latestEventsOfAll } from '../events/security-events/security-events.ts';
import * as examples from './accounts/examples.ts';
import { userEventListSchema } from './accounts/schemas.ts';
import {
  deprecateSecurityEvents,
  eventListResponses,
  type SecurityEventDeps,
} from './accounts/security-event-routes.ts';
import { findUser } from './records/queries.ts';
import { parseUserId } from './records/rules.ts';
import { userIdSchema } from './records/schemas.ts';

const listSecurityEventsOperation = {
  operationId: 'listSecurityEvents',
  tags: ['User administration'],
  summary: "List a user's security events",
  params: userIdSchema,
  response: eventListResponses,
} as const;

const listLatestSecurityEventsOperation = {
  operationId: 'listLatestSecurityEvents',
  tags: ['Administration'],
  summary: 'List the latest security events of all users',
  description: 'Events are kept for 180 days, the last 1,000 of a user, and deleted with their user.',
  querystring: { type: 'object', properties: { limit: limitParameter } },
  response: {
    200: describeResponse(userEventListSchema, {
      description: 'The events, newest first.',
      examples: { events: examples.userEvents },
    }),
  },
} as const;

const deprecation = deprecateSecurityEvents('/api/v1/events');

export const securityEvents: FeaturePlugin<SecurityEventDeps> = async (app, { database, numbering }) => {
  app.get(
    '/api/v1/users/:id/security-events',
    {
      schema: listSecurityEventsOperation,
      config: { access: 'admin', scope: 'events:read', deprecation, problems: ['user_not_found'] },
    },
    async ({ params }) => {
      const id = parseUserId(params.id);
      if ((await findUser(database, id)) === undefined) throw new Problem('user_not_found');
      await numbering.flush();
      return findEvents(database, id);
    },
  );

  app.get(
    '/api/v1/admin/security-events',
    {
      schema: listLatestSecurityEventsOperation,
      config: { access: 'admin', scope: 'events:read', deprecation, problems: ['invalid_limit'] },
    },
    async ({ query }) => {
      await numbering.flush();
      return { message: 'Security events', data: await latestEventsOfAll(database, toLimit(query.limit)) };
    },
  );
};
