/** Groups of new users. */
import type { Database } from '../../database/database.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { dataSchema, nullableText, recordSchema } from '../../lib/schema/json-schema.ts';
import { dateOrTimeParameter, toTime } from '../../lib/schema/query-parameters.ts';
import { describeResponse } from '../../plugins/openapi/describe-response.ts';
import { GROUPINGS, groupSignUps, MAX_GROUPS, MAX_READ } from './group-sign-ups.ts';

const count = { type: 'integer', minimum: 0 } as const;

const groupsSchema = dataSchema(
  recordSchema({
    counted: { ...count, description: 'Users that were read.' },
    is_complete: {
      type: 'boolean',
      description: `False if there may be more: only the newest ${MAX_READ} were read, and every count is a lower limit.`,
    },
    groups: {
      type: 'array',
      maxItems: MAX_GROUPS,
      description: 'The largest groups, the largest first.',
      items: recordSchema({
        value: {
          ...nullableText,
          description:
            'A domain of email addresses, or a network: the /24 of IPv4 or the /48 of IPv6. Null for users without an email, or without a stored network.',
        },
        count,
      }),
    },
  }),
);

const example = {
  message: 'Sign-ups by domain',
  data: { counted: 812, is_complete: true, groups: [{ value: 'example.com', count: 790 }] },
};

const groupSignUpsRoute = {
  schema: {
    operationId: 'groupSignUps',
    tags: ['Administration'],
    summary: 'Group new users by domain or network',
    description:
      'Counts the users created in a span of time by the domain of their email, or by the network from which they were created, which the record of events has as long as events are kept.',
    querystring: {
      type: 'object',
      required: ['by', 'from'],
      properties: {
        by: { type: 'string', enum: GROUPINGS, description: 'What users are grouped by.' },
        from: dateOrTimeParameter('Counts the users created at this time or later.'),
        to: dateOrTimeParameter('Counts the users created before this time.'),
      },
    },
    response: {
      200: describeResponse(groupsSchema, {
        description: 'The groups.',
        examples: { domains: example },
      }),
    },
  },
  config: { access: 'admin', scope: 'users:read', problems: ['invalid_filter'] },
} as const;

export const signUps: FeaturePlugin<{ readonly database: Database }> = async (app, { database }) => {
  app.get('/api/v1/users/sign-ups', groupSignUpsRoute, async ({ query: { by, from, to } }) => {
    const span = { from: toTime(from)!, to: toTime(to) ?? Number.MAX_SAFE_INTEGER };
    return { message: `Sign-ups by ${by}`, data: await groupSignUps(database, by, span) };
  });
};
