/** The route that lists the events of one user for the administrator. */
import type { FeaturePlugin } from '../../lib/routes/feature-plugin.ts';
import { defineList } from '../../plugins/openapi/define-list.ts';
import { eventView } from '../events/event-view.ts';
import { events as example } from '../events/list/examples.ts';
import { findSubjects } from '../events/list/list-events.ts';
import { type EventListDeps, readUserEvents } from '../events/routes.ts';
import { eventSchema } from '../events/schemas.ts';
import { findUser } from './records/queries.ts';
import { parseUserId, requireUser } from './records/rules.ts';
import { userIdSchema } from './records/schemas.ts';

const listUserEventsOperation = {
  operationId: 'listUserEvents',
  tags: ['User administration'],
  summary: "List a user's events",
  description: 'Returns what happened to the account, newest first.',
  params: userIdSchema,
  ...defineList({}, eventSchema, { description: 'The events.', examples: { events: example } }),
} as const;

const problems = ['user_not_found', 'invalid_limit', 'invalid_cursor'] as const;

export const userEvents: FeaturePlugin<EventListDeps> = async (app, deps) => {
  app.get(
    '/api/v1/users/:id/events',
    { schema: listUserEventsOperation, config: { access: 'admin', scope: 'users:read', problems } },
    async ({ params, query }, reply) => {
      const userId = parseUserId(params.id);
      requireUser(await findUser(deps.database, userId));
      const path = `/api/v1/users/${userId}/events`;
      const { rows, next_cursor } = await readUserEvents(reply, deps, { userId, path, query });
      const users = await findSubjects(deps.database, rows);
      return { message: 'Events', data: rows.map((event) => eventView(event, users)), next_cursor };
    },
  );
};
