/** Webhooks as OpenAPI 3.1 describes them: one for each type of events. */
import { EVENT_TYPES } from './event-types.ts';

const content = { 'application/json': { schema: { $ref: '#/components/schemas/EventMessage' } } };

/** Returns the path items by type. */
export function describeWebhooks() {
  const entries = Object.entries(EVENT_TYPES).map(([type, description]) => [
    type,
    {
      post: {
        summary: type,
        description,
        requestBody: { required: true, content },
        responses: { '2XX': { description: 'Received.' } },
      },
    },
  ]);
  return Object.fromEntries(entries);
}
