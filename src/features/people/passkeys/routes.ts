/** Passkeys: sign-in, and their administration by their users and administrators. */
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { idParameters } from '../../../lib/schema/query-parameters.ts';
import { describeEmpty } from '../../../plugins/openapi/describe-response.ts';
import { findUser } from '../../users/records/queries.ts';
import { changeAsAdministrator } from '../../users/records/roles.ts';
import { parseUserId, requireUser } from '../../users/records/rules.ts';
import { userIdSchema } from '../../users/records/schemas.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';
import { removePasskey } from './change-passkeys.ts';
import { ownPasskeys, passkeyList, sendPasskeys } from './own-routes.ts';
import { passkeyLogin } from './sign-in-routes.ts';

export const passkeys: FeaturePlugin<AccountDeps> = async (app, deps) => {
  await app.register(passkeyLogin, deps);
  await app.register(ownPasskeys, deps);
  await app.register(userPasskeys, deps);
};

const path = '/api/v1/users/:id/passkeys';

const listOfUserRoute = {
  schema: {
    operationId: 'listUserPasskeys',
    tags: ['User administration'],
    summary: "List a user's passkeys",
    description: 'Returns the passkeys with which the user can sign in.',
    params: userIdSchema,
    response: { 200: passkeyList },
  },
  config: { access: 'admin', scope: 'users:read', problems: ['user_not_found'] },
} as const;

const removeOfUserRoute = {
  schema: {
    operationId: 'removeUserPasskey',
    tags: ['User administration'],
    summary: "Remove a user's passkey",
    description:
      'The user can no longer sign in with it, and gets a notice by email. The last way to sign in that works cannot be removed. Sessions and tokens stay.',
    params: idParameters({ id: 'Id of the user.', passkey_id: 'Id of a passkey.' }),
    response: { 204: describeEmpty({ description: 'Removed.' }) },
  },
  config: {
    access: 'admin',
    scope: 'users:write',
    recentSignIn: 'always',
    problems: ['user_not_found', 'passkey_not_found', 'last_way_in'],
  },
} as const;

const userPasskeys: FeaturePlugin<AccountDeps> = async (app, deps) => {
  const { database } = deps;

  app.get(path, listOfUserRoute, async ({ params }) => {
    const { id } = requireUser(await findUser(database, parseUserId(params.id)));
    return sendPasskeys(deps, id);
  });

  app.delete(`${path}/:passkey_id`, removeOfUserRoute, async ({ params }, reply) => {
    await changeAsAdministrator(database, params.id, (tx, user) =>
      removePasskey(deps, tx, { user, id: params.passkey_id }),
    );
    return reply.code(204).send();
  });
};
