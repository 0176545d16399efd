/** Operations that return the secret of a webhook. */
import type { AddressPolicy } from '../../lib/outbound/address-policy.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { describeResponse } from '../../plugins/openapi/describe-response.ts';
import { type CreateEndpointDeps, createEndpoint } from './create-endpoint.ts';
import * as examples from './examples.ts';
import { rotateSecret } from './rotate-secret.ts';
import { normalizeUrl, parseEndpointId, toSettings } from './rules.ts';
import { createWebhookSchema, newSecretSchema, webhookIdSchema } from './schemas.ts';
import { newSecretResponse } from './webhook-responses.ts';

const tags = ['Webhooks'];
const access = { access: 'admin', scope: 'webhooks:write', recentSignIn: 'always' } as const;

const createWebhookRoute = {
  schema: {
    operationId: 'createWebhook',
    tags,
    summary: 'Create a webhook',
    description:
      'Events that happen from now on are sent to the URL, signed as [Standard Webhooks](https://www.standardwebhooks.com) prescribe. At most 50.',
    body: { ...createWebhookSchema, examples: [examples.newWebhook] },
    response: {
      201: describeResponse(newSecretSchema, {
        description: 'The webhook and its secret, which cannot be read again.',
        headers: { Location: 'URL of the webhook.', ETag: 'Version of the webhook.' },
        examples: { created: examples.created },
      }),
    },
  },
  config: { ...access, idempotent: true, problems: ['too_many_webhooks'] },
} as const;

const rotateWebhookSecretRoute = {
  schema: {
    operationId: 'rotateWebhookSecret',
    tags,
    summary: 'Rotate the secret of a webhook',
    description:
      'For 24 hours, deliveries have a signature by the new secret and one by the replaced secret, so that receivers accept them throughout. A further rotation in this time ends the validity of the oldest of the three secrets at once.',
    params: webhookIdSchema,
    response: {
      200: describeResponse(newSecretSchema, {
        description: 'The webhook and its new secret, which cannot be read again.',
        headers: { ETag: 'Version of the webhook.' },
        examples: { rotated: examples.rotated },
      }),
    },
  },
  config: { ...access, idempotent: true, problems: ['webhook_not_found'] },
} as const;

export interface WebhookSecretDeps extends CreateEndpointDeps {
  readonly webhookAddresses: AddressPolicy;
}

export const webhookSecrets: FeaturePlugin<WebhookSecretDeps> = async (app, deps) => {
  app.post('/api/v1/webhooks', createWebhookRoute, ({ body }, reply) =>
    reply.sendOnce(async () => {
      const settings = toSettings({ ...body, url: normalizeUrl(body.url, deps.webhookAddresses) });
      return {
        store: async (tx) => {
          const created = await createEndpoint(deps, tx, settings);
          return newSecretResponse(created, { status: 201, message: 'Webhook created', now: deps.clock() });
        },
      };
    }),
  );

  app.post('/api/v1/webhooks/:id/rotate-secret', rotateWebhookSecretRoute, ({ params }, reply) =>
    reply.sendOnce(async () => ({
      store: async (tx) => {
        const rotated = await rotateSecret(deps, tx, parseEndpointId(params.id));
        const message = 'Webhook secret rotated';
        return newSecretResponse(rotated, { status: 200, message, now: deps.clock() });
      },
    })),
  );
};
