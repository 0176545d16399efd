/** The route that lists the security events of the own account. */
import { getUserCaller } from '../../../callers/callers.ts';
import type { Database } from '../../../database/database.ts';
import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { describeResponse } from '../../../plugins/openapi/describe-response.ts';
import type { Numbering } from '../../events/numbering/numbering.ts';
import { findEvents, MAX_EVENTS } from '../../events/security-events/security-events.ts';
import * as examples from './examples.ts';
import { securityEventListSchema } from './schemas.ts';

/** Response schema of the lists of one user's events. */
export const eventListResponses = {
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
  response: eventListResponses,
} as const;

/** The lists of events replace those of security events. */
export function deprecateSecurityEvents(successor: string) {
  return { deprecatedAt: Date.UTC(2026, 10, 22), sunsetAt: Date.UTC(2028, 11, 1), successor };
}

export interface SecurityEventDeps {
  readonly database: Database;
  readonly numbering: Numbering;
}

export const ownSecurityEvents: FeaturePlugin<SecurityEventDeps> = async (app, { database, numbering }) => {
  app.get(
    '/api/v1/me/security-events',
    {
      schema: listOwnSecurityEventsOperation,
      config: {
        access: 'user',
        scope: 'self:read',
        deprecation: deprecateSecurityEvents('/api/v1/me/events'),
      },
    },
    async (request) => {
      await numbering.flush();
      return findEvents(database, getUserCaller(request).userId);
    },
  );
};
