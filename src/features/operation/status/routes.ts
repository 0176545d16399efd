import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { statusSchema } from './schemas.ts';
import { createStatus, type StatusDeps } from './status.ts';

export const status: FeaturePlugin<StatusDeps> = async (app, deps) => {
  const readStatus = createStatus(deps);
  app.get(
    '/api/v1/admin/status',
    {
      schema: {
        operationId: 'getStatus',
        tags: ['Administration'],
        summary: 'Get the status of the node that responds',
        description: 'Read at most every two seconds; `generated_at` is when.',
        response: { 200: describeResponse(statusSchema, { description: 'The status.' }) },
      },
      config: { access: 'admin', scope: 'settings:read' },
    },
    async () => ({ message: 'Status', data: await readStatus() }),
  );
};
