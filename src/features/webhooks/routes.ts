import { ifMatch } from '../../lib/routes/preconditions.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { describeEmpty, describeResponse } from '../../plugins/openapi/describe-response.ts';
import { getRecord } from '../records/change-record.ts';
import { secretResponse, sendRecord } from '../records/responses.ts';
import { ifMatchHeader } from '../users/records/schemas.ts';
import {
  type CreateEndpointDeps,
  createEndpoint,
  deleteEndpoint,
  formatSecret,
  rotateSecret,
  type UpdateEndpointDeps,
  updateEndpoint,
} from './change-webhook.ts';
import { readHealth } from './deliveries/read-deliveries.ts';
import { type DeliveryRouteDeps, webhookDeliveries } from './deliveries/routes.ts';
import { listEndpoints, webhookStore } from './queries.ts';
import { normalizeUrl, toSettings } from './rules.ts';
import * as webhook from './webhook.ts';

const path = '/api/v1/webhooks';
const tags = ['Webhooks'];
const read = { access: 'admin', scope: 'webhooks:write' } as const;
const write = { ...read, recentSignIn: 'always' } as const;
const headers = { ETag: 'Version of the webhook.' };

type WebhookDeps = UpdateEndpointDeps & CreateEndpointDeps;

/** Endpoints that receive events. */
export const webhooks: FeaturePlugin<WebhookDeps & DeliveryRouteDeps> = async (app, deps) => {
  const { database, clock } = deps;
  await app.register(webhookSecrets, deps);

  app.get(path, listWebhooksRoute, async () => {
    const now = clock();
    const data = [];
    for (const endpoint of await listEndpoints(database))
      data.push({ ...webhook.webhookView(endpoint, now), ...(await readHealth(database, endpoint, now)) });
    return { message: 'Webhooks list', data };
  });

  app.get(`${path}/:id`, getWebhookRoute, async ({ params }, reply) => {
    const endpoint = await getRecord(database, webhookStore, params.id);
    const now = clock();
    const health = await readHealth(database, endpoint, now);
    const data = { ...webhook.webhookView(endpoint, now), ...health };
    return sendRecord(reply, { message: `Webhook ${data.id}`, data });
  });

  app.patch(`${path}/:id`, updateWebhookRoute, async ({ params, body, headers }, reply) => {
    const endpoint = await updateEndpoint(deps, { id: params.id, isExpected: ifMatch(headers) }, body);
    const data = webhook.webhookView(endpoint, clock());
    return sendRecord(reply, { message: `Webhook ${data.id}`, data });
  });

  app.delete(`${path}/:id`, deleteWebhookRoute, async ({ params, headers }, reply) => {
    await deleteEndpoint(deps, { id: params.id, isExpected: ifMatch(headers) });
    return reply.code(204).send();
  });

  await app.register(webhookDeliveries, deps);
};

/** Operations that return the secret of a webhook. */
const webhookSecrets: FeaturePlugin<WebhookDeps> = async (app, deps) => {
  const withSecret = ({ endpoint, secret }: webhook.EndpointWithSecret) => ({
    ...webhook.webhookView(endpoint, deps.clock()),
    secret: formatSecret(secret),
  });

  app.post(path, createWebhookRoute, ({ body }, reply) =>
    reply.sendOnce(async () => {
      const settings = toSettings({ ...body, url: normalizeUrl(body.url, deps.webhookAddresses) });
      return {
        store: async (tx) => {
          const data = withSecret(await createEndpoint(deps, tx, settings));
          return secretResponse({ message: 'Webhook created', data }, `${path}/${data.id}`);
        },
      };
    }),
  );

  app.post(`${path}/:id/rotate-secret`, rotateWebhookSecretRoute, ({ params }, reply) =>
    reply.sendOnce(async () => ({
      store: async (tx) => {
        const data = withSecret(await rotateSecret(deps, tx, params.id));
        return secretResponse({ message: 'Webhook secret rotated', data });
      },
    })),
  );
};

const listWebhooksRoute = {
  schema: {
    operationId: 'listWebhooks',
    tags,
    summary: 'List webhooks',
    description: 'Returns all webhooks, oldest first, without their secrets.',
    response: {
      200: describeResponse(webhook.webhookListSchema, 'At most 50 webhooks.', {
        webhooks: webhook.examples.list,
      }),
    },
  },
  config: read,
} as const;

const getWebhookRoute = {
  schema: {
    operationId: 'getWebhook',
    tags,
    summary: 'Get a webhook',
    description: 'Returns the webhook without its secret.',
    params: webhook.webhookIdSchema,
    response: {
      200: describeResponse(webhook.webhookHealthResponseSchema, {
        description: 'The webhook.',
        headers,
        examples: { webhook: webhook.examples.response },
      }),
    },
  },
  config: { ...read, problems: ['webhook_not_found'] },
} as const;

const updateWebhookRoute = {
  schema: {
    operationId: 'updateWebhook',
    tags,
    summary: 'Update a webhook',
    description: 'Changes the given members only, and rejects any others.',
    params: webhook.webhookIdSchema,
    headers: { type: 'object', properties: ifMatchHeader, required: ['If-Match'] },
    body: { ...webhook.updateWebhookSchema, examples: [{ enabled: false }] },
    response: {
      200: describeResponse(webhook.webhookResponseSchema, {
        description: 'The webhook after the change.',
        headers: { ETag: 'Version of the webhook after the change.' },
        examples: { changed: webhook.examples.updated },
      }),
    },
  },
  config: { ...write, problems: ['webhook_not_found'] },
} as const;

const deleteWebhookRoute = {
  schema: {
    operationId: 'deleteWebhook',
    tags,
    summary: 'Delete a webhook',
    description:
      'Deletes the webhook and the record of its deliveries. With `If-Match`, only if it still has that version.',
    params: webhook.webhookIdSchema,
    headers: { type: 'object', properties: ifMatchHeader },
    response: { 204: describeEmpty({ description: 'Deleted.' }) },
  },
  config: { ...write, problems: ['webhook_not_found'] },
} as const;

const createWebhookRoute = {
  schema: {
    operationId: 'createWebhook',
    tags,
    summary: 'Create a webhook',
    description:
      'Events that happen from now on are sent to the URL, signed as [Standard Webhooks](https://www.standardwebhooks.com) prescribe. At most 50.',
    body: { ...webhook.createWebhookSchema, examples: [webhook.examples.newWebhook] },
    response: {
      201: describeResponse(webhook.newSecretSchema, {
        description: 'The webhook and its secret, which cannot be read again.',
        headers: { Location: 'URL of the webhook.', ...headers },
        examples: { created: webhook.examples.created },
      }),
    },
  },
  config: { ...write, idempotent: true, problems: ['too_many_webhooks'] },
} as const;

const rotateWebhookSecretRoute = {
  schema: {
    operationId: 'rotateWebhookSecret',
    tags,
    summary: 'Rotate the secret of a webhook',
    description:
      'For 24 hours, deliveries have a signature by the new secret and one by the replaced secret, so that receivers accept them throughout. A further rotation in this time ends the validity of the oldest of the three secrets at once.',
    params: webhook.webhookIdSchema,
    response: {
      200: describeResponse(webhook.newSecretSchema, {
        description: 'The webhook and its new secret, which cannot be read again.',
        headers,
        examples: { rotated: webhook.examples.rotated },
      }),
    },
  },
  config: { ...write, idempotent: true, problems: ['webhook_not_found'] },
} as const;
