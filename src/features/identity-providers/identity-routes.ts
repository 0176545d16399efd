/** The identities of the current user, and of single users for the administrator. */
import { getUserCaller } from '../../callers/callers.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { idParameters } from '../../lib/schema/query-parameters.ts';
import { formatTimes } from '../../lib/time.ts';
import { describeEmpty, describeResponse } from '../../plugins/openapi/describe-response.ts';
import { PROVEN, proofBody } from '../people/accounts/totp-schemas.ts';
import type { AccountDeps } from '../people/sign-in/account-deps.ts';
import { toProof } from '../people/sign-in/require-proof.ts';
import { findUser } from '../users/records/queries.ts';
import { changeAsAdministrator } from '../users/records/roles.ts';
import { parseUserId, requireUser } from '../users/records/rules.ts';
import { userIdSchema } from '../users/records/schemas.ts';
import { listNamedIdentities, unlinkIdentity, unlinkOwnIdentity } from './linking/link-identity.ts';
import { examples, identityListSchema } from './provider.ts';

const identityList = describeResponse(identityListSchema, 'The identities, oldest first.', {
  identities: examples.identities,
});
const own = '/api/v1/me/identities';
const ofUser = '/api/v1/users/:id/identities';

const listOwnRoute = {
  schema: {
    operationId: 'listIdentities',
    tags: ['Accounts'],
    summary: 'List own identities',
    description: 'Returns the accounts at identity providers with which the user can sign in.',
    response: { 200: identityList },
  },
  config: { access: 'user', scope: 'self:read' },
} as const;

const unlinkOwnRoute = {
  schema: {
    operationId: 'unlinkIdentity',
    tags: ['Accounts'],
    summary: 'Unlink an own identity',
    description:
      'The user can no longer sign in with it. The last way to sign in that works cannot be unlinked: set a password before. A wrong password counts as a failed login.',
    params: idParameters({ id: 'Id of an identity.' }),
    body: proofBody,
    response: { 204: describeEmpty({ description: 'Unlinked.' }) },
  },
  config: { ...PROVEN, problems: ['identity_not_found', 'last_way_in', 'too_many_requests'] },
} as const;

const listOfUserRoute = {
  schema: {
    operationId: 'listUserIdentities',
    tags: ['User administration'],
    summary: "List a user's identities",
    description: 'Returns the accounts at identity providers with which the user can sign in.',
    params: userIdSchema,
    response: { 200: identityList },
  },
  config: { access: 'admin', scope: 'users:read', problems: ['user_not_found'] },
} as const;

const unlinkOfUserRoute = {
  schema: {
    operationId: 'unlinkUserIdentity',
    tags: ['User administration'],
    summary: "Unlink a user's identity",
    description:
      'The user can no longer sign in with it. The last way to sign in that works cannot be unlinked. Sessions and tokens stay.',
    params: idParameters({ id: 'Id of the user.', identityId: 'Id of an identity.' }),
    response: { 204: describeEmpty({ description: 'Unlinked.' }) },
  },
  config: {
    access: 'admin',
    scope: 'users:write',
    recentSignIn: 'always',
    problems: ['user_not_found', 'identity_not_found', 'last_way_in'],
  },
} as const;

export const identities: FeaturePlugin<AccountDeps> = async (app, deps) => {
  const { database, clock } = deps;
  const list = async (userId: string) => {
    const rows = await listNamedIdentities(deps, userId);
    const data = rows.map((row) => formatTimes(row, ['created_at', 'last_used_at']));
    return { message: 'Identities list', data };
  };

  app.get(own, listOwnRoute, (request) => list(getUserCaller(request).userId));

  app.delete(`${own}/:id`, unlinkOwnRoute, async (request, reply) => {
    await unlinkOwnIdentity(deps, toProof(request), request.params.id);
    return reply.code(204).send();
  });

  app.get(ofUser, listOfUserRoute, async ({ params }) => {
    const { id } = requireUser(await findUser(database, parseUserId(params.id)));
    return list(id);
  });

  app.delete(`${ofUser}/:identityId`, unlinkOfUserRoute, async ({ params }, reply) => {
    await changeAsAdministrator(database, params.id, (tx, user) =>
      unlinkIdentity(deps, tx, { user, id: params.identityId, now: clock() }),
    );
    return reply.code(204).send();
  });
};
