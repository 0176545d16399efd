import type { preValidationHookHandler } from 'fastify';
import type { Caller } from '../../callers/callers.ts';
import type { PreparedEffect } from '../../idempotency/stored-response.ts';
import { versionETag } from '../../lib/routes/preconditions.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import type { SchemaValue } from '../../lib/schema/json-schema.ts';
import { createValidator } from '../../lib/schema/validator.ts';
import { optionalBody } from '../../plugins/bodies/json-bodies.ts';
import { describeResponse } from '../../plugins/openapi/describe-response.ts';
import { toValidator } from '../../plugins/validation.ts';
import {
  createUnclaimedUser,
  insertAccount,
  type NewUserInput,
  prepareOwner,
} from '../people/accounts/create-user.ts';
import type { AccountDeps } from '../people/sign-in/account-deps.ts';
import { ADMINISTRATOR } from '../people/sign-in/hashing-client.ts';
import { type UserListDeps, userList } from './list-route.ts';
import * as examples from './records/examples.ts';
import { addGroups } from './records/group-queries.ts';
import { findUser } from './records/queries.ts';
import { parseUserId, requireUser } from './records/rules.ts';
import * as schemas from './records/schemas.ts';
import { sendUser, userView } from './records/user-responses.ts';
import { findLockedUntil } from './restore-access.ts';

const tags = ['Users'];

const createUserOperation = {
  operationId: 'createUser',
  tags,
  summary: 'Create a user record',
  description:
    'Anyone may create an unclaimed record, which cannot log in and does not reserve its email. The administrator creates accounts: `name` and `email` are then required, and an account with a password is active immediately, and an account without one gets a message with a link to set it. Owners may give it a `role`; the first owner needs a password while no mail server is connected. Their body is rejected if it has any other member.',
  body: { ...schemas.createUserSchema, examples: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] },
  response: {
    201: describeResponse(schemas.createdUserSchema, {
      description: 'Created.',
      headers: {
        Location: 'URL of the record.',
        ETag: 'Version of the record, if the response contains it.',
      },
      examples: examples.createdUsers,
    }),
  },
} as const;

const getUserRoute = {
  schema: {
    operationId: 'getUser',
    tags,
    summary: 'Get a user',
    description:
      'Returns the record to the administrator and to its user. Everyone else gets the same response whether or not the user exists.',
    params: schemas.userIdSchema,
    response: {
      200: describeResponse(schemas.userResponseSchema, {
        description: 'The record, if the caller may see it.',
        headers: { ETag: 'Version of the record, if the response contains it.' },
        examples: examples.userResponses,
      }),
    },
  },
  config: { access: 'optional', scope: 'self:read', adminScope: 'users:read', problems: ['user_not_found'] },
} as const;

type NewUser = SchemaValue<typeof schemas.createUserSchema>;

const validators = {
  admin: createValidator(schemas.newUserSchema),
  others: createValidator(schemas.unclaimedUserSchema),
};

const validateByCaller: preValidationHookHandler = (request, _reply, done) => {
  const validate = toValidator(request.caller.kind === 'admin' ? validators.admin : validators.others);
  const result = validate(request.body);
  if ('value' in result) request.body = result.value;
  done('error' in result ? result.error : undefined);
};

async function prepareAccount(deps: AccountDeps, body: NewUser): Promise<PreparedEffect> {
  // Validated by newUserSchema, which requires the name and the email.
  const owner = await prepareOwner(deps, body as NewUserInput, ADMINISTRATOR);
  return {
    store: async (tx) => {
      const user = { ...(await insertAccount(tx, owner)), groups: [] };
      return toCreatedResponse(user.id, userView(user), { etag: versionETag(user.version) });
    },
  };
}

async function prepareUnclaimed(deps: AccountDeps, body: NewUser): Promise<PreparedEffect> {
  return {
    store: async (tx) => {
      const id = await createUnclaimedUser(deps, tx, body);
      return toCreatedResponse(id, { id });
    },
  };
}

function toCreatedResponse(id: string, data: object, headers: Readonly<Record<string, string>> = {}) {
  return {
    status: 201,
    headers: { location: `/api/v1/users/${id}`, ...headers },
    body: { message: 'User created', data },
    createdResources: { userId: id },
  };
}

/** @throws Problem user_not_found to the administrator */
async function findVisibleUser({ database }: AccountDeps, caller: Caller, id: string) {
  if (caller.kind === 'admin') {
    const user = requireUser(await findUser(database, parseUserId(id)));
    return (await addGroups(database, [user]))[0];
  }
  return caller.kind === 'user' && caller.userId === id ? findUser(database, id) : undefined;
}

export const users: FeaturePlugin<AccountDeps & UserListDeps> = async (app, deps) => {
  await app.register(userList, deps);

  app.post(
    '/api/v1/users',
    {
      schema: createUserOperation,
      config: {
        access: 'optional',
        adminScope: 'users:write',
        isOpenTo: ({ kind }) => kind === 'admin' || deps.settings.current.usersCreate === 'open',
        limits: ['create', 'create-hour', 'create-day'],
        idempotent: true,
        recentSignIn: (body: unknown) => (body as NewUser).role != null,
        problems: ['email_taken', 'unclaimed_users_full'],
      },
      preValidation: [optionalBody, validateByCaller],
      // The rules depend on the caller: the schema describes all of them.
      validatorCompiler: () => () => true,
    },
    ({ body, caller }, reply) =>
      reply.sendOnce(() =>
        caller.kind === 'admin' ? prepareAccount(deps, body) : prepareUnclaimed(deps, body),
      ),
  );

  await app.register(userRecord, deps);
};

const userRecord: FeaturePlugin<AccountDeps> = async (app, deps) => {
  app.get('/api/v1/users/:id', getUserRoute, async ({ caller, params: { id } }, reply) => {
    const user = await findVisibleUser(deps, caller, id);
    if (user === undefined) return { message: `User ${id}` };
    if (caller.kind !== 'admin') return sendUser(reply, user);
    const lockedUntil = await findLockedUntil(deps, user);
    const data = { ...userView(user), ...(lockedUntil && { locked_until: lockedUntil }) };
    return reply.header('etag', versionETag(user.version)).send({ message: `User ${id}`, data });
  });
};
