import { hasAdminScope } from '../../../callers/admin-scopes.ts';
import { getAdminCaller } from '../../../callers/callers.ts';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { toValidator } from '../../../plugins/validation.ts';
import { insufficientScope } from '../../../problems/challenges.ts';
import { catalogue } from '../../../problems/problem.ts';
import type { AccountDeps } from '../../people/sign-in/account-deps.ts';
import { exampleId, newUserSchema } from '../records/schemas.ts';
import { finishBatch, toSteps } from './batch-users.ts';
import { listScopes, needsRecentSignIn, readOperations } from './read-operations.ts';
import { batchResultSchema, batchSchema, changesSchema } from './schemas.ts';

const MAX_BATCH_BYTES = 1_048_576;
/** Members of metadata: each operation may have four. With names that all differ, they cost about 40 ms. */
const MAX_MEMBERS = 4_000;

const { properties } = batchSchema.properties.operations.items;

/** Names that occur in every operation, which cost less than others. */
const REPEATED_MEMBERS = [
  ...new Set(
    [properties, newUserSchema.properties, changesSchema.properties].flatMap((each) => Object.keys(each)),
  ),
];

const MESSAGE = 'Operations processed';

const batchUsersRoute = {
  schema: {
    operationId: 'batchUsers',
    tags: ['User administration'],
    summary: 'Create, change and erase many users',
    description:
      'Processes up to 1,000 operations one after the other, each with the rules and the effects of the single request, and returns the result of each. All need the scope `users:write`, but `revoke`, which revokes all tokens of a user, needs `tokens:write`: the batch is rejected if the credential lacks the scope of one of its operations. An operation that fails does not undo the others. After a failure of the service some operations may have been processed: a request that is repeated with the same `Idempotency-Key` continues with the others, and processes none twice.',
    body: {
      ...batchSchema,
      examples: [
        {
          operations: [
            { action: 'create', user: { name: 'Ada Lovelace', email: 'ada@example.com' } },
            { action: 'update', id: exampleId, changes: { level: 'gold' }, version: 1 },
            { action: 'disable', id: exampleId },
            { action: 'revoke', id: exampleId },
          ],
        },
      ],
    },
    response: {
      200: describeResponse(batchResultSchema, 'The result of each operation, also if all have failed.', {
        processed: {
          message: MESSAGE,
          failed: 1,
          data: [
            { index: 0, status: 201, data: { id: exampleId, version: 1 } },
            { index: 1, status: 404, error: catalogue.user_not_found.text, code: 'user_not_found' },
          ],
        },
      }),
    },
  },
  config: {
    access: 'admin',
    // Each operation has its own.
    scope: 'any',
    recentSignIn: (body: unknown) =>
      (body as { readonly operations: readonly unknown[] }).operations.some(needsRecentSignIn),
    problems: ['insufficient_scope'],
    idempotent: true,
    repeatedMembers: REPEATED_MEMBERS,
    maxMembers: MAX_MEMBERS,
  },
  bodyLimit: MAX_BATCH_BYTES,
  // Each operation is validated by itself.
  validatorCompiler: () => toValidator((body) => ({ operations: readOperations(body) })),
} as const;

/** Batches of users. */
export const userBatches: FeaturePlugin<AccountDeps> = async (app, deps) => {
  app.post('/api/v1/users/batch', batchUsersRoute, (request, reply) => {
    const { operations } = request.body;
    const { scopes } = getAdminCaller(request).credential;
    const missing = listScopes(operations).filter((scope) => !hasAdminScope(scopes, scope));
    if (missing.length > 0) throw insufficientScope(missing, 'admin');
    return reply.sendOnceInSteps(toSteps(deps, operations), async (steps) => {
      const data = await finishBatch(deps, steps);
      return { message: MESSAGE, failed: data.filter(({ code }) => code !== undefined).length, data };
    });
  });
};
