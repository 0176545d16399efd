import { hasAdminScope } from '../../callers/admin-scopes.ts';
import { getAdminCaller } from '../../callers/callers.ts';
import { cached } from '../../lib/queues/shared-work.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import {
  dataSchema,
  nullableText,
  nullableTimestamp,
  recordSchema,
  text,
  timestamp,
} from '../../lib/schema/json-schema.ts';
import { formatTimestamp, type MonotonicClock, optionalTimestamp } from '../../lib/time.ts';
import { describeResponse } from '../../plugins/openapi/describe-response.ts';
import { ALERT_KINDS, type AlertKind, SEVERITIES } from './alert.ts';
import { type AlertDeps, findAlerts } from './find-alerts.ts';

const alert = recordSchema({
  kind: { type: 'string', enum: Object.keys(ALERT_KINDS) as AlertKind[] },
  severity: { type: 'string', enum: SEVERITIES },
  message: { ...text, description: 'What is wrong, for people.' },
  count: { type: 'integer', minimum: 1, description: 'Number of records that it is about, up to 1,001.' },
  since: nullableTimestamp,
  subject: {
    ...nullableText,
    description:
      'The record that the alert is about: `webhook:<id>`, `form:<id>` or `identity_provider:<id>`.',
  },
});

const alertsSchema = dataSchema(
  recordSchema({
    generated_at: { ...timestamp, description: 'When they were found.' },
    alerts: { type: 'array', items: alert },
  }),
);

const example = {
  message: 'Alerts',
  data: {
    generated_at: '2026-01-05T09:30:00.000Z',
    alerts: [
      {
        kind: 'mail_failed',
        severity: 'error',
        message: '3 messages of the last 7 days failed for good',
        count: 3,
        since: '2026-01-04T17:12:00.000Z',
        subject: null,
      },
    ],
  },
};

const CACHE_MS = 2_000;

export const alerts: FeaturePlugin<AlertDeps & { readonly monotonicClock: MonotonicClock }> = async (
  app,
  deps,
) => {
  const { clock, monotonicClock } = deps;
  const find = cached(
    async () => ({ generated_at: formatTimestamp(clock()), found: await findAlerts(deps) }),
    { lifetimeMs: CACHE_MS, monotonicClock },
  );
  app.get(
    '/api/v1/admin/alerts',
    {
      schema: {
        operationId: 'listAlerts',
        tags: ['Administration'],
        summary: 'List what is wrong',
        description:
          'Returns what needs a person: webhooks and identity providers that fail, mail that failed or waits, an overdue backup, held submissions, rejected sign-ins and unusually many sign-ups. Errors first; empty if all is well. An alert is gone when its cause is. Credentials see the alerts of their scopes. The findings of `listChecks` are not repeated. Found at most every two seconds; `generated_at` is when.',
        response: {
          200: describeResponse(alertsSchema, { description: 'The alerts.', examples: { alerts: example } }),
        },
      },
      config: { access: 'admin', scope: 'any' },
    },
    async (request) => {
      const { generated_at, found } = await find();
      const { scopes } = getAdminCaller(request).credential;
      const visible = found.filter(({ kind }) => hasAdminScope(scopes, ALERT_KINDS[kind]));
      const data = visible.map((each) => ({ ...each, since: optionalTimestamp(each.since) }));
      return { message: 'Alerts', data: { generated_at, alerts: data } };
    },
  );
};
