import { ifMatch } from '../../lib/routes/preconditions.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { describeEmpty, describeResponse } from '../../plugins/openapi/describe-response.ts';
import { Problem } from '../../problems/problem.ts';
import { ifMatchHeader } from '../users/records/schemas.ts';
import { deleteEndpoint, type UpdateEndpointDeps, updateEndpoint } from './change-endpoint.ts';
import { type DeliveryRouteDeps, webhookDeliveries } from './deliveries/routes.ts';
import * as examples from './examples.ts';
import { readHealth } from './health/read-health.ts';
import { findEndpoint, listEndpoints } from './queries.ts';
import { parseEndpointId } from './rules.ts';
import * as schemas from './schemas.ts';
import { type WebhookSecretDeps, webhookSecrets } from './secret-routes.ts';
import { sendWebhook, webhookView } from './webhook-responses.ts';

const tags = ['Webhooks'];
const config = { access: 'admin', scope: 'webhooks:write' } as const;
const headers = { ETag: 'Version of the webhook.' };

const listWebhooksRoute = {
  schema: {
    operationId: 'listWebhooks',
    tags,
    summary: 'List webhooks',
    description: 'Returns all webhooks, oldest first, without their secrets.',
    response: {
      200: describeResponse(schemas.webhookListSchema, 'At most 50 webhooks.', { webhooks: examples.list }),
    },
  },
  config,
} as const;

const getWebhookRoute = {
  schema: {
    operationId: 'getWebhook',
    tags,
    summary: 'Get a webhook',
    description: 'Returns the webhook without its secret.',
    params: schemas.webhookIdSchema,
    response: {
      200: describeResponse(schemas.webhookHealthResponseSchema, {
        description: 'The webhook.',
        headers,
        examples: { webhook: examples.response },
      }),
    },
  },
  config: { ...config, problems: ['webhook_not_found'] },
} as const;

const updateWebhookRoute = {
  schema: {
    operationId: 'updateWebhook',
    tags,
    summary: 'Update a webhook',
    description: 'Changes the given members only, and rejects any others.',
    params: schemas.webhookIdSchema,
    headers: { type: 'object', properties: ifMatchHeader, required: ['If-Match'] },
    body: { ...schemas.updateWebhookSchema, examples: [{ enabled: false }] },
    response: {
      200: describeResponse(schemas.webhookResponseSchema, {
        description: 'The webhook after the change.',
        headers: { ETag: 'Version of the webhook after the change.' },
        examples: { changed: examples.updated },
      }),
    },
  },
  config: {
    ...config,
    recentSignIn: 'always',
    problems: ['webhook_not_found', 'precondition_failed', 'precondition_required'],
  },
} as const;

const deleteWebhookRoute = {
  schema: {
    operationId: 'deleteWebhook',
    tags,
    summary: 'Delete a webhook',
    description:
      'Deletes the webhook and the record of its deliveries. With `If-Match`, only if it still has that version.',
    params: schemas.webhookIdSchema,
    headers: { type: 'object', properties: ifMatchHeader },
    response: { 204: describeEmpty({ description: 'Deleted.' }) },
  },
  config: { ...config, recentSignIn: 'always', problems: ['webhook_not_found', 'precondition_failed'] },
} as const;

/** Endpoints that receive events. */
export const webhooks: FeaturePlugin<UpdateEndpointDeps & WebhookSecretDeps & DeliveryRouteDeps> = async (
  app,
  deps,
) => {
  const { database, clock } = deps;
  await app.register(webhookSecrets, deps);

  app.get('/api/v1/webhooks', listWebhooksRoute, async () => {
    const now = clock();
    const data = [];
    for (const endpoint of await listEndpoints(database))
      data.push({ ...webhookView(endpoint, now), ...(await readHealth(database, endpoint, now)) });
    return { message: 'Webhooks list', data };
  });

  app.get('/api/v1/webhooks/:id', getWebhookRoute, async ({ params }, reply) => {
    const endpoint = await findEndpoint(database, parseEndpointId(params.id));
    if (endpoint === undefined) throw new Problem('webhook_not_found');
    const now = clock();
    return sendWebhook(reply, endpoint, { now, health: await readHealth(database, endpoint, now) });
  });

  app.patch('/api/v1/webhooks/:id', updateWebhookRoute, async ({ params, body, headers }, reply) => {
    const update = { id: parseEndpointId(params.id), changes: body, isExpected: ifMatch(headers) };
    return sendWebhook(reply, await updateEndpoint(deps, update), { now: deps.clock() });
  });

  app.delete('/api/v1/webhooks/:id', deleteWebhookRoute, async ({ params, headers }, reply) => {
    await deleteEndpoint(deps, parseEndpointId(params.id), ifMatch(headers));
    return reply.code(204).send();
  });

  await app.register(webhookDeliveries, deps);
};
