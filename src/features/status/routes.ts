import { type Route, route } from '../../http/route.ts';
import { statusSchema } from './schemas.ts';
import { createStatus, type StatusDeps } from './status.ts';

export function statusRoutes(deps: StatusDeps): Route[] {
  const status = createStatus(deps);
  return [
    route({
      method: 'GET',
      path: '/api/v1/admin/status',
      operationId: 'getStatus',
      tag: 'Administration',
      summary: 'Get the status of the node that responds',
      description: 'Read at most every two seconds; `generated_at` is when.',
      access: 'admin',
      responses: { 200: { description: 'The status.', schema: statusSchema } },
      handle: async () => ({ status: 200, body: { message: 'Status', data: await status() } }),
    }),
  ];
}
