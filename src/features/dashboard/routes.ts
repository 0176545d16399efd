import { type Route, route } from '../../http/route.ts';
import { Type } from '../../lib/schema.ts';
import { type DashboardDeps, dashboardFigures } from './figures.ts';

const count = Type.Integer({ minimum: 0 });
const span = Type.Object({
  count,
  previous: Type.Integer({ minimum: 0, description: 'Count of the preceding period of the same length.' }),
  change: Type.Integer({ description: 'count − previous' }),
});
const curve = Type.Array(Type.Object({ date: Type.String({ format: 'date' }), count }), {
  description: 'The last 30 UTC days, oldest first, including days with zero.',
});

const dashboardSchema = Type.Object({
  message: Type.String(),
  data: Type.Object({
    users: Type.Object({
      total: count,
      by_state: Type.Object({ unclaimed: count, active: count, disabled: count }),
    }),
    new_users: Type.Object(
      { today: span, last_7_days: span, last_30_days: span },
      { description: 'Users created in the UTC days up to and including today.' },
    ),
    active_users: Type.Object(
      { today: count, last_7_days: count, last_30_days: count },
      { description: 'Users who logged in or used a token in these days.' },
    ),
    sign_ups_by_day: curve,
    active_users_by_day: curve,
    live_tokens: count,
    failed_logins_24h: count,
  }),
});

export function dashboardRoutes(deps: DashboardDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/admin/dashboard',
      operationId: 'getDashboard',
      tag: 'Administration',
      summary: 'Get the dashboard',
      access: 'admin',
      responses: { 200: { description: 'The current figures.', schema: dashboardSchema } },
      handle: async () => ({
        status: 200,
        body: { message: 'Admin dashboard', data: await dashboardFigures(deps) },
      }),
    }),
  ];
}
