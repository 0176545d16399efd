import { type Route, route } from '../../http/route.ts';
import { createDashboard, type DashboardDeps } from './figures.ts';
import { dashboardSchema } from './schemas.ts';

export function dashboardRoutes(deps: DashboardDeps): Route[] {
  const figures = createDashboard(deps);
  return [
    route({
      method: 'GET',
      path: '/api/v1/admin/dashboard',
      operationId: 'getDashboard',
      tag: 'Administration',
      summary: 'Get the dashboard',
      description: 'The figures are computed at most every two seconds; `generated_at` is when.',
      access: 'admin',
      responses: { 200: { description: 'The current figures.', schema: dashboardSchema } },
      handle: async () => ({
        status: 200,
        body: { message: 'Admin dashboard', data: await figures() },
      }),
    }),
  ];
}
