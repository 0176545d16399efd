/** Schemas of error responses. */
import { catalogue } from '../../problems/problem.ts';
import { componentRef } from './json.ts';

const code = componentRef('schemas', 'ErrorCode');

export const errorSchemas = {
  ErrorCode: {
    type: 'string',
    enum: Object.keys(catalogue),
    description:
      'Decide by this code: its meaning never changes. Each response lists the codes that it can have.',
  },
  Error: {
    type: 'object',
    required: ['error', 'code'],
    properties: {
      error: { type: 'string', description: 'A text for people. Its wording may change.' },
      code,
      message: { type: 'string', description: 'The same text as `error`.' },
      statusCode: { type: 'integer' },
      errors: {
        description:
          'Messages by member of the body, or a list of messages, or of objects that name what each message is about.',
        anyOf: [
          { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
          { type: 'array', items: { type: 'string' } },
          {
            type: 'array',
            items: {
              type: 'object',
              required: ['message'],
              properties: {
                message: { type: 'string' },
                pointer: { type: 'string', description: 'JSON pointer into the definition of a form.' },
                field: { type: 'string', description: 'Label of the field of a form.' },
                code: { type: 'string', description: 'Why the answer to the field is rejected.' },
              },
            },
          },
        ],
      },
    },
  },
  Problem: {
    type: 'object',
    description: 'Problem details (RFC 9457), for requests with `Accept: application/problem+json`.',
    required: ['type', 'title', 'status', 'detail', 'code', 'error'],
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      instance: { type: 'string' },
      code,
      error: { type: 'string' },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['detail', 'pointer'],
          properties: {
            detail: { type: 'string' },
            pointer: { type: 'string', description: 'JSON pointer into the request body.' },
          },
        },
      },
    },
  },
};
