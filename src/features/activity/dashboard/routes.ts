import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { createDashboard, type DashboardDeps } from './figures.ts';
import { dashboardSchema } from './schemas.ts';

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
