/** All changes and views of users for the administrator. */
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { defineList } from '../../plugins/openapi/describe-response.ts';
import { eventView } from '../events/event-view.ts';
import { events as example } from '../events/list/examples.ts';
import { findSubjects } from '../events/list/list-events.ts';
import { type EventListDeps, readUserEvents } from '../events/routes.ts';
import { eventSchema } from '../events/schemas.ts';
import type { AccountDeps } from '../people/sign-in/account-deps.ts';
import type { SessionRouteDeps } from '../people/sign-in/session-routes.ts';
import type { TokenRouteDeps } from '../people/tokens/routes.ts';
import { userBatches } from './batch-users/routes.ts';
import { userExport } from './export-routes.ts';
import { userMerges } from './merge-routes.ts';
import { findUser } from './records/queries.ts';
import { parseUserId, requireUser } from './records/rules.ts';
import { userIdSchema } from './records/schemas.ts';
import { userSessions, userTokens } from './token-routes.ts';
import { userAccess, userChanges } from './user-routes.ts';

const listUserEventsOperation = {
  operationId: 'listUserEvents',
  tags: ['User administration'],
  summary: "List a user's events",
  description: 'Returns what happened to the account, newest first.',
  params: userIdSchema,
  ...defineList({}, eventSchema, { description: 'The events.', examples: { events: example } }),
} as const;

const problems = ['user_not_found', 'invalid_limit', 'invalid_cursor'] as const;

const userEvents: FeaturePlugin<EventListDeps> = async (app, deps) => {
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

export const userAdministration: FeaturePlugin<
  AccountDeps & TokenRouteDeps & SessionRouteDeps & Parameters<typeof userEvents>[1]
> = async (app, deps) => {
  await app.register(userChanges, deps);
  await app.register(userBatches, deps);
  await app.register(userExport, deps);
  await app.register(userTokens, deps);
  await app.register(userSessions, deps);
  await app.register(userEvents, deps);
  await app.register(userAccess, deps);
  await app.register(userMerges, deps);
};
