/** The shapes of refusals. */
import { catalogue } from '../../problems.ts';

export const problemSchemas = {
  Error: {
    type: 'object',
    required: ['error', 'code'],
    properties: {
      error: { type: 'string', description: 'For people. The text may change.' },
      code: {
        type: 'string',
        enum: Object.keys(catalogue),
        description: 'For programs. Its meaning does not change.',
      },
      message: { type: 'string' },
      statusCode: { type: 'integer' },
      errors: {
        description: 'Messages by member, or one per failing member.',
        anyOf: [
          { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
          { type: 'array', items: { type: 'string' } },
        ],
      },
    },
  },
  Problem: {
    type: 'object',
    description: 'RFC 9457, for clients that ask for application/problem+json.',
    required: ['type', 'title', 'status', 'detail', 'code', 'error'],
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      instance: { type: 'string' },
      code: { type: 'string', enum: Object.keys(catalogue) },
      error: { type: 'string' },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['detail', 'pointer'],
          properties: { detail: { type: 'string' }, pointer: { type: 'string' } },
        },
      },
    },
  },
};
