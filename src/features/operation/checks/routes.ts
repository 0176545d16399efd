import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { dataSchema, recordSchema } from '../../../lib/schema/data-schema.ts';
import { text, timestamp } from '../../../lib/schema/members.ts';
import { describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { type CheckDeps, createChecks } from './check-node.ts';
import { STATUSES } from './finding.ts';

const finding = recordSchema({
  check: { ...text, description: 'What was checked. A check may have several findings.' },
  status: { type: 'string', enum: STATUSES },
  message: { ...text, description: 'What is the case and, unless it is fine, what to do.' },
});

const checksSchema = dataSchema(
  recordSchema({
    generated_at: { ...timestamp, description: 'When the checks ended.' },
    checks: { type: 'array', items: finding },
  }),
);

const example = {
  message: 'Checks',
  data: {
    generated_at: '2026-01-05T09:30:00.000Z',
    checks: [
      { check: 'settings', status: 'ok', message: 'All settings are valid' },
      { check: 'disk', status: 'warning', message: '900 MiB are free in /srv/frontdesk/data: free space' },
    ],
  },
};

export const checks: FeaturePlugin<CheckDeps> = async (app, deps) => {
  const check = createChecks(deps);
  app.get(
    '/api/v1/admin/checks',
    {
      schema: {
        operationId: 'listChecks',
        tags: ['Administration'],
        summary: 'Check the node that responds',
        description:
          'Returns what the command `doctor` says, except that nothing is written: settings, database, clock, mail, disk and secret files. Takes up to five seconds if the mail server does not respond. Checked at most every five seconds; `generated_at` is when.',
        response: {
          200: describeResponse(checksSchema, {
            description: 'The findings.',
            examples: { checks: example },
          }),
        },
      },
      config: { access: 'admin', scope: 'settings:read' },
    },
    async () => ({ message: 'Checks', data: await check() }),
  );
};
