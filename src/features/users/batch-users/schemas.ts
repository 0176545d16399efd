/** Schemas of batches of users: those of the single operations, each within a member of an operation. */
import { closedSchema, type JsonSchema, recordSchema } from '../../../lib/schema/json-schema.ts';
import { text, uuid } from '../records/member-schemas.ts';
import { updateUserSchema } from '../records/schemas.ts';

export const MAX_OPERATIONS = 1_000;
/** Each takes about 50 ms of a processor to hash. */
export const MAX_PASSWORDS = 100;

export const ACTIONS = ['create', 'update', 'disable', 'enable', 'erase', 'revoke'] as const;

/** The version of an operation is beside the changes. */
const { version, ...changeableMembers } = updateUserSchema.properties;
export const changesSchema = { ...updateUserSchema, properties: changeableMembers } as const;

const action = { type: 'string', enum: ACTIONS } as const;
const id = { type: 'string', maxLength: 255, description: 'Id of a user.' } as const;
/** The members are validated by the schemas of the single operations. */
const anyMembers = { type: 'object', additionalProperties: true } as const;
const closed = { type: 'object', additionalProperties: false } as const;

const versioned = { ...closed, required: ['action', 'id'], properties: { action, id, version } } as const;

export const operationSchemas = {
  create: { ...closed, required: ['action', 'user'], properties: { action, user: anyMembers } },
  update: {
    ...closed,
    required: ['action', 'id', 'changes'],
    properties: { action, id, changes: anyMembers, version },
  },
  disable: versioned,
  enable: versioned,
  erase: versioned,
  revoke: { ...closed, required: ['action', 'id'], properties: { action, id } },
} as const satisfies Record<(typeof ACTIONS)[number], JsonSchema>;

/** For the description: the list as a whole is validated first, and each operation by itself. */
export const batchSchema = closedSchema(['operations'], {
  operations: {
    type: 'array',
    minItems: 1,
    maxItems: MAX_OPERATIONS,
    description: `At most ${MAX_PASSWORDS} of them may create a user with a password.`,
    items: {
      type: 'object',
      required: ['action'],
      properties: {
        action: { ...action, description: 'Decides which of the other members are required and allowed.' },
        user: { ...anyMembers, description: 'With `create`: the body of the request to create a user.' },
        id: { ...id, description: 'With all others: the id of the user.' },
        changes: {
          ...anyMembers,
          description: 'With `update`: the body of the request to update a user, without `version`.',
        },
        version: {
          ...version,
          description:
            'With `update`, `disable`, `enable` and `erase`: the version that the change is based on, 409 unless it is the current one. Without it, any version is changed.',
        },
      },
    },
  },
});

export const batchResultSchema = recordSchema({
  message: text,
  failed: { type: 'integer', minimum: 0, description: 'Number of operations with an error.' },
  data: {
    type: 'array',
    description: 'The results in the order of the operations.',
    items: {
      type: 'object',
      required: ['index', 'status'],
      properties: {
        index: { type: 'integer', minimum: 0, description: 'Position of the operation, from 0.' },
        status: { type: 'integer', description: 'The status that the single request would have.' },
        data: {
          type: 'object',
          description: 'The user after the operation, unless it was `erase` or `revoke`.',
          required: ['id', 'version'],
          properties: { id: uuid, version: { type: 'integer', minimum: 1 } },
        },
        error: text,
        code: { type: 'string', description: 'Code of the problem, as in error responses.' },
        errors: {
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'string' } },
          description: 'Messages by member of the user or the changes, if the problem has any.',
        },
      },
    },
  },
});
