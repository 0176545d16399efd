/** The route that merges two users. */
import { hasAdminScope } from '../../callers/admin-scopes.ts';
import { getAdminCaller } from '../../callers/callers.ts';
import { ifMatch, versionETag } from '../../lib/routes/preconditions.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { exampleId } from '../../lib/schema/query-parameters.ts';
import { describeResponse } from '../../plugins/openapi/describe-response.ts';
import { insufficientScope } from '../../problems/challenges.ts';
import { finishErasures } from '../people/personal-data/erase-user.ts';
import type { AccountDeps } from '../people/sign-in/account-deps.ts';
import { mergeSchema } from './merge-record.ts';
import { applyMerge } from './merge-users.ts';
import * as examples from './records/examples.ts';
import { addGroups } from './records/group-queries.ts';
import { parseUserId } from './records/rules.ts';
import { ifMatchHeader, userIdSchema, userRecordSchema } from './records/schemas.ts';
import { userView } from './records/user-responses.ts';

const otherId = exampleId.replace('2e', '31');

const mergeUsersRoute = {
  schema: {
    operationId: 'mergeUsers',
    tags: ['User administration'],
    summary: 'Merge two users',
    description:
      'For two accounts of one person: the user takes over identities, submissions and, where chosen, more of the user `from`, who is erased. Password and second factor stay those of the user, and links that were sent to either are revoked. Verified addresses of both get a notice. This cannot be undone. With `If-Match`, only if the record of the user still has that version. Only owners merge people with a role.',
    params: userIdSchema,
    headers: { type: 'object', properties: ifMatchHeader },
    body: { ...mergeSchema, examples: [{ from: otherId, metadata: 'combine' }] },
    response: {
      200: describeResponse(userRecordSchema, {
        description: 'The record after the merge.',
        headers: { ETag: 'Version of the record after the merge.' },
        examples: { merged: { ...examples.userResponses.administrator, message: 'Users merged' } },
      }),
    },
  },
  config: {
    access: 'admin',
    scope: 'users:write',
    recentSignIn: 'always',
    idempotent: true,
    problems: ['insufficient_scope', 'user_not_found', 'user_state_conflict', 'email_taken', 'last_owner'],
  },
} as const;

export const userMerges: FeaturePlugin<AccountDeps> = async (app, deps) => {
  app.post('/api/v1/users/:id/merge', mergeUsersRoute, (request, reply) =>
    reply.sendOnce(async () => {
      const { params, body, headers } = request;
      const { from, take = mergeSchema.properties.take.default, metadata = 'keep' } = body;
      const { scopes } = getAdminCaller(request).credential;
      if (body.take?.includes('groups') && !hasAdminScope(scopes, 'groups:write'))
        throw insufficientScope(['groups:write'], 'admin');
      const id = parseUserId(params.id);
      const merge = { id, from, choices: { take: [...take], metadata }, isExpected: ifMatch(headers) };
      return {
        store: async (tx) => {
          const [user] = await addGroups(tx, [await applyMerge(deps, tx, merge)]);
          return {
            status: 200,
            headers: { etag: versionETag(user!.version) },
            body: { message: 'Users merged', data: userView(user!) },
            createdResources: { userId: id },
          };
        },
        isLong: true,
        // A failure is left to the housekeeping.
        onStored: () => void finishErasures(deps, [from]).catch(() => {}),
      };
    }),
  );
};
