/** The lock of single users after failed logins. */
import type { FeaturePlugin } from '../../lib/routes/feature-plugin.ts';
import { describeEmpty } from '../../plugins/openapi/describe-response.ts';
import { parseUserId } from './records/rules.ts';
import { userIdSchema } from './records/schemas.ts';
import { type UserLockDeps, unlockUser } from './unlock-user.ts';

const unlockUserOperation = {
  operationId: 'unlockUser',
  tags: ['User administration'],
  summary: 'Unlock a user',
  description:
    'Forgets the failed logins because of which the user is locked (`locked_until`): those from anywhere, and those from networks that the user has logged in from. Changes nothing for a user who is not locked.',
  params: userIdSchema,
  response: { 204: describeEmpty({ description: 'The user can log in.' }) },
} as const;

export const userLock: FeaturePlugin<UserLockDeps> = async (app, deps) => {
  app.delete(
    '/api/v1/users/:id/lock',
    {
      schema: unlockUserOperation,
      config: { access: 'admin', scope: 'users:write', problems: ['user_not_found'] },
    },
    async ({ params }, reply) => {
      await unlockUser(deps, parseUserId(params.id));
      return reply.code(204).send();
    },
  );
};
