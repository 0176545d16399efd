import type { JsonSchema } from '../../http/json-schema.ts';
import { nullableTimestamp, text, timestamp, uuid } from '../users/member-schemas.ts';
import { exampleId } from '../users/schemas.ts';

export const tokenSchema = {
  $id: 'Token',
  type: 'object',
  required: ['id', 'name', 'scopes', 'created_at', 'last_used_at', 'expires_at', 'current'],
  properties: {
    id: uuid,
    name: text,
    scopes: { type: 'array', items: text },
    created_at: timestamp,
    last_used_at: nullableTimestamp,
    expires_at: timestamp,
    current: { type: 'boolean', description: 'Whether it is the token of this request.' },
  },
} as const satisfies JsonSchema;

export const tokenListSchema = {
  type: 'object',
  required: ['message', 'data'],
  properties: { message: text, data: { type: 'array', items: { $ref: 'Token' } } },
} as const satisfies JsonSchema;

export const tokenIdSchema = {
  type: 'object',
  required: ['id'],
  properties: {
    id: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: 'Id of a token, from the list of tokens.',
      examples: [exampleId],
    },
  },
} as const satisfies JsonSchema;

export const messageSchema = {
  type: 'object',
  required: ['message'],
  properties: { message: text },
} as const satisfies JsonSchema;
