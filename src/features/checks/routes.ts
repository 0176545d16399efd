import { type Route, route } from '../../http/route.ts';
import { type CheckDeps, createChecks } from './check-node.ts';
import { checksSchema } from './schemas.ts';

export function checkRoutes(deps: CheckDeps): Route[] {
  const check = createChecks(deps);
  return [
    route({
      method: 'GET',
      path: '/api/v1/admin/checks',
      operationId: 'listChecks',
      tag: 'Administration',
      summary: 'Check the node that responds',
      description:
        'Returns what the command `doctor` says, except that nothing is written: settings, database, clock, mail, disk and secret files. Takes up to five seconds if the mail server does not respond. Checked at most every five seconds; `generated_at` is when.',
      access: 'admin',
      responses: {
        200: { description: 'The findings.', schema: checksSchema, examples: { checks: example } },
      },
      handle: async () => ({ status: 200, body: { message: 'Checks', data: await check() } }),
    }),
  ];
}

const example = {
  message: 'Checks',
  data: {
    generated_at: '2026-01-05T09:30:00.000Z',
    checks: [
      { check: 'settings', status: 'ok', message: 'are valid' },
      { check: 'disk', status: 'warning', message: '900 MiB are free in /srv/frontdesk/data: free space' },
    ],
  },
};
