import { type Route, route } from '../../http/route.ts';
import { type DashboardDeps, dashboardFigures } from './figures.ts';
import { dashboardSchema } from './schemas.ts';

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
