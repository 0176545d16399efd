import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EVENT_TYPES } from '../../src/features/events/event-types.ts';
import { description, validatorAt } from '../support/description/description.ts';
import { resolved } from '../support/description/json-reference.ts';

describe('the webhooks of openapi.json', () => {
  test('openapi.json describes a webhook with the thin message for each type of events', () => {
    assert.deepEqual(Object.keys(description.webhooks), Object.keys(EVENT_TYPES));
    for (const [type, item] of Object.entries<{ description: string }>(description.webhooks)) {
      assert.equal(item.description, EVENT_TYPES[type as keyof typeof EVENT_TYPES].meaning);
      const { post } = resolved(description, item);
      assert.deepEqual(post.requestBody.content, {
        'application/json': { schema: { $ref: '#/components/schemas/EventMessage' } },
      });
    }
  });

  test('the message of a webhook has the type, the time and the names of the event', () => {
    const validate = validatorAt('#/components/schemas/EventMessage');
    const id = '01938c5e-7b10-7c1f-8a2b-3c4d5e6f7a8b';
    const timestamp = '2026-01-05T09:30:00.000Z';
    assert.ok(
      validate({ type: 'user.created', timestamp, data: { id, subject: `user:${id}`, sequence: 1 } }),
    );
    assert.ok(!validate({ type: 'user.flew', timestamp, data: { id, subject: null, sequence: null } }));
    assert.ok(!validate({ type: 'user.created', timestamp, data: { id } }));
  });
});
