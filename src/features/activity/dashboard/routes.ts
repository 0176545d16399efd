import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import { dataSchema, recordSchema } from '../../../lib/schema/json-schema.ts';
import { describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { createDashboard, type DashboardDeps } from './figures.ts';

export const dashboard: FeaturePlugin<DashboardDeps> = async (app, deps) => {
  const figures = createDashboard(deps);
  app.get(
    '/api/v1/admin/dashboard',
    {
      schema: {
        operationId: 'getDashboard',
        tags: ['Administration'],
        summary: 'Get the dashboard',
        description: 'The figures are computed at most every two seconds; `generated_at` is when.',
        response: { 200: describeResponse(dashboardSchema, 'The current figures.') },
      },
      config: { access: 'admin', scope: 'users:read' },
    },
    async () => ({ message: 'Admin dashboard', data: await figures() }),
  );
};

const count = { type: 'integer', minimum: 0 } as const satisfies JsonSchema;

const period = {
  title: 'PeriodCount',
  ...recordSchema({
    count,
    previous: { ...count, description: 'Count of the preceding period of the same length.' },
    change: { type: 'integer', description: 'count − previous' },
  }),
} as const satisfies JsonSchema;

const dailyCounts = {
  type: 'array',
  items: {
    title: 'DailyCount',
    ...recordSchema({ date: { type: 'string', format: 'date' }, count }),
  },
  description: 'The last 30 UTC days, oldest first, including days with zero.',
} as const satisfies JsonSchema;

const users = recordSchema({
  total: count,
  by_state: recordSchema({ unclaimed: count, active: count, disabled: count }),
});

const newUsers = {
  ...recordSchema({ today: period, last_7_days: period, last_30_days: period }),
  description: 'Users created in the UTC days up to and including today.',
} as const satisfies JsonSchema;

const activeUsers = {
  ...recordSchema({ today: count, last_7_days: count, last_30_days: count }),
  description: 'Users who logged in or used a token in these days.',
} as const satisfies JsonSchema;

const previousActiveUsers = {
  ...activeUsers,
  description: 'Active users of the preceding periods of the same length: yesterday, and so on.',
} as const satisfies JsonSchema;

const comparedDays = recordSchema({ yesterday: period, last_7_days: period, last_30_days: period });

const wholeDays = {
  ...recordSchema({ new_users: comparedDays, active_users: comparedDays }),
  description:
    'The figures of periods of whole UTC days that end with yesterday: today, of which only a part has passed, would lower them.',
} as const satisfies JsonSchema;

const signIns = {
  ...recordSchema({ password: count, passkey: count, provider: count, email: count, second_factor: count }),
  description:
    'Tokens and sessions issued by sign-ins and registrations of the last 30 UTC days, by how the user was authenticated: a password, a passkey, an identity provider, a code or link by email; those with a second factor count there, too. Since the upgrade to the release that counts them.',
} as const satisfies JsonSchema;

const dashboardSchema = dataSchema(
  recordSchema({
    generated_at: { type: 'string', format: 'date-time', description: 'When the figures were computed.' },
    users,
    new_users: newUsers,
    active_users: activeUsers,
    previous_active_users: previousActiveUsers,
    sign_ups_by_day: dailyCounts,
    active_users_by_day: dailyCounts,
    sign_ins: signIns,
    live_tokens: count,
    failed_logins_24h: count,
    previous_failed_logins_24h: { ...count, description: 'Failed logins of the 24 hours before.' },
    whole_days: wholeDays,
  }),
);
