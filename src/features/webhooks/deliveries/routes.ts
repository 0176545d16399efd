import type { DatabaseDeps } from '../../../database/database.ts';
import type { PageStart, Pagination } from '../../../lib/routes/pagination.ts';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { defineList, describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { webhookIdSchema } from '../webhook.ts';
import * as delivery from './delivery.ts';
import { sendTest } from './enqueue-deliveries.ts';
import { acceptedResponse, deliveryView, listDeliveries, readDelivery } from './read-deliveries.ts';
import {
  findReplayedEvents,
  isSinceFailing,
  readSelection,
  replayEvents,
  replayUndelivered,
  retryDelivery,
} from './replay.ts';

const tags = ['Webhooks'];
const REPEATED = { access: 'admin', scope: 'webhooks:write', idempotent: true } as const;
const path = '/api/v1/webhooks/:id';

const listDeliveriesRoute = {
  schema: {
    operationId: 'listWebhookDeliveries',
    tags,
    summary: 'List deliveries of a webhook',
    description:
      'Returns the deliveries with all of their attempts, newest first, in pages. Delivered ones are kept for 3 days, and at most 1,000 of them; others for 30 days.',
    params: webhookIdSchema,
    ...defineList(
      delivery.deliveryFilters,
      { $ref: 'WebhookDelivery' },
      { description: 'A page of deliveries.', examples: { deliveries: delivery.examples.list } },
    ),
  },
  config: { access: 'admin', scope: 'webhooks:write', problems: ['webhook_not_found', 'invalid_filter'] },
} as const;

const getDeliveryRoute = {
  schema: {
    operationId: 'getWebhookDelivery',
    tags,
    summary: 'Get a delivery',
    description:
      'Returns the delivery with its body, and each attempt with the headers that were sent and the response.',
    params: delivery.deliveryIdSchema,
    response: {
      200: describeResponse(delivery.deliveryDetailSchema, 'The delivery.', {
        delivery: delivery.examples.detail,
      }),
    },
  },
  config: {
    access: 'admin',
    scope: 'webhooks:write',
    problems: ['webhook_not_found', 'webhook_delivery_not_found'],
  },
} as const;

const testWebhookRoute = {
  schema: {
    operationId: 'testWebhook',
    tags,
    summary: 'Send a test to a webhook',
    description:
      'Delivers an event of the type `webhook.test` within about a second, like any other. The list of deliveries shows the outcome.',
    params: webhookIdSchema,
    response: {
      202: describeResponse(delivery.testResponseSchema, 'The delivery follows.', {
        test: delivery.examples.test,
      }),
    },
  },
  config: { ...REPEATED, problems: ['webhook_not_found', 'webhook_disabled', 'too_many_deliveries'] },
} as const;

const retryDeliveryRoute = {
  schema: {
    operationId: 'retryWebhookDelivery',
    tags,
    summary: 'Retry a delivery',
    description:
      'Attempts the delivery now. One that has failed or succeeded gets all attempts of a new one. One that is being attempted stays as it is.',
    params: delivery.deliveryIdSchema,
    response: {
      202: describeResponse(delivery.deliveryResponseSchema, 'The delivery, whose attempt follows.', {
        delivery: delivery.examples.retried,
      }),
    },
  },
  config: {
    ...REPEATED,
    problems: ['webhook_not_found', 'webhook_delivery_not_found', 'webhook_disabled', 'too_many_deliveries'],
  },
} as const;

const replayRoute = {
  schema: {
    operationId: 'replayWebhook',
    tags,
    summary: 'Replay events to a webhook',
    description:
      "Delivers events again: with `since`, all since a time; with `from` and `to`, those between; both of the webhook's types. With `event_ids`, up to 100 single events of any type. With `since_failing`, the deliveries that have failed since `failing_since`, and at once those that wait for another attempt; a webhook that failures have disabled is enabled, and gets the events that it has missed. The events have the same `webhook-id` as before, by which receivers recognise what they have processed. If more than 10,000 deliveries would be pending, none is made: replay shorter spans one after the other.",
    params: webhookIdSchema,
    body: { ...delivery.replaySchema, examples: [delivery.examples.replay] },
    response: {
      202: describeResponse(delivery.replayResponseSchema, 'The deliveries follow.', {
        replay: delivery.examples.replayed,
      }),
    },
  },
  config: {
    ...REPEATED,
    problems: ['webhook_not_found', 'webhook_disabled', 'too_many_deliveries'],
  },
} as const;

export interface DeliveryRouteDeps extends DatabaseDeps {
  readonly pagination: Pagination;
}

export const webhookDeliveries: FeaturePlugin<DeliveryRouteDeps> = async (app, deps) => {
  app.get(`${path}/deliveries`, listDeliveriesRoute, async ({ params, query }, reply) => {
    const endpointId = params.id;
    const filter = { endpointId, state: query.state ?? null };
    const { rows, next_cursor } = await deps.pagination.readPage(reply, {
      query,
      path: `/api/v1/webhooks/${endpointId}/deliveries`,
      scope: `deliveries:${JSON.stringify(filter)}`,
      read: (start: PageStart<string>) => listDeliveries(deps.database, filter, start),
    });
    return { message: 'Deliveries list', data: rows.map(deliveryView), next_cursor };
  });

  app.get(`${path}/deliveries/:delivery_id`, getDeliveryRoute, async ({ params }) => {
    const { id, delivery_id } = params;
    const data = await readDelivery(deps.database, id, delivery_id);
    return { message: `Delivery ${data.id}`, data };
  });

  await app.register(deliveryRequests, deps);
  await app.register(replays, deps);
};

const deliveryRequests: FeaturePlugin<DeliveryRouteDeps> = async (app, deps) => {
  app.post(`${path}/test`, testWebhookRoute, ({ params }, reply) =>
    reply.sendOnce(async () => ({
      store: async (tx) => {
        const delivery_id = await sendTest(deps, tx, params.id);
        return acceptedResponse('Test requested', { delivery_id });
      },
    })),
  );

  app.post(`${path}/deliveries/:delivery_id/retry`, retryDeliveryRoute, ({ params }, reply) =>
    reply.sendOnce(async () => ({
      store: async (tx) => {
        const which = { endpointId: params.id, deliveryId: params.delivery_id };
        const retried = deliveryView(await retryDelivery(deps, tx, which));
        return acceptedResponse(`Delivery ${retried.id}`, retried);
      },
    })),
  );
};

const replays: FeaturePlugin<DeliveryRouteDeps> = async (app, deps) => {
  app.post(`${path}/replay`, replayRoute, ({ params, body }, reply) =>
    reply.sendOnce(async () => {
      const endpointId = params.id;
      if (isSinceFailing(body))
        return {
          store: async (tx) => {
            const events = await replayUndelivered(deps, tx, endpointId);
            return acceptedResponse('Replay requested', { events });
          },
        };
      const selection = readSelection(body);
      const events = await findReplayedEvents(deps.database, endpointId, selection);
      return {
        store: async (tx) => {
          const replayed = await replayEvents(deps, tx, { endpointId, events });
          return acceptedResponse('Replay requested', { events: replayed });
        },
      };
    }),
  );
};
