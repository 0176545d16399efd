import type { ValueOf } from '../../lib/json-schema.ts';
import { versionETag } from '../../lib/preconditions.ts';
import { type HandlerContext, type HandlerResponse, type Route, route } from '../../http/route.ts';
import { Problem } from '../../problems/problem.ts';
import {
  type CreateUnclaimedDeps,
  type CreateUserDeps,
  createUnclaimedUser,
  insertAccount,
  type NewUserInput,
  prepareOwner,
} from './create-user.ts';
import * as examples from './examples.ts';
import { ADMINISTRATOR } from './hashing-client.ts';
import { type ListUsersDeps, listUsers } from './list-users.ts';
import { findUser } from './queries.ts';
import { parseUserId } from './rules.ts';
import * as schemas from './schemas.ts';
import { userListResponse, userResponse, userView } from './user-responses.ts';

export interface UserRouteDeps extends CreateUserDeps, CreateUnclaimedDeps, ListUsersDeps {
  /** `admin`: anonymous callers cannot create records. */
  readonly usersCreate: 'open' | 'admin';
  readonly publicUrl: string;
}

const tag = 'Users';

export function userRoutes(deps: UserRouteDeps): Route[] {
  return [listUsersRoute(deps), createUserRoute(deps), getUserRoute(deps)];
}

function listUsersRoute(deps: UserRouteDeps): Route {
  return route({
    method: 'GET',
    path: '/api/v1/users',
    operationId: 'listUsers',
    tag,
    summary: 'List users',
    description:
      'Returns all records to the administrator, in pages, oldest first, or newest first with `order=-created_at`; with `search`, in the order of the emails and names that match. A user gets their own record, an anonymous caller only the message.',
    access: 'optional',
    scope: 'self:read',
    query: schemas.listParameters,
    responses: {
      200: {
        description: 'The records that the caller may see.',
        schema: schemas.userListSchema,
        headers: { Link: 'URLs of the next and the first page, if there is more than one (RFC 8288).' },
        examples: examples.userLists,
      },
    },
    problems: ['invalid_limit', 'invalid_cursor', 'invalid_filter'],
    handle: async (context) => userListResponse(await listUsers(deps, context), deps.publicUrl),
  });
}

function createUserRoute(deps: UserRouteDeps): Route {
  return route({
    method: 'POST',
    path: '/api/v1/users',
    operationId: 'createUser',
    tag,
    summary: 'Create a user record',
    description:
      'Anyone may create an unclaimed record, which cannot log in and does not reserve its email. The administrator creates accounts: `name` and `email` are then required, and an account with a password is active immediately, and an account without one gets a message with a link to set it. Their body is rejected if it has any other member.',
    access: 'optional',
    limits: ['create', 'create-hour', 'create-day'],
    isOpenTo: ({ kind }) => kind === 'admin' || deps.usersCreate === 'open',
    idempotent: true,
    body: schemas.createUserSchema,
    bodyFor: ({ kind }) => (kind === 'admin' ? schemas.newUserSchema : schemas.unclaimedUserSchema),
    bodyOptional: true,
    bodyExample: { name: 'Ada Lovelace', email: 'ada@example.com' },
    responses: { 201: createdUser },
    problems: ['email_taken', 'unclaimed_users_full'],
    handle: (context) =>
      context.caller.kind === 'admin' ? createAccount(deps, context) : createUnclaimed(deps, context),
  });
}

const createdUser = {
  description: 'Created.',
  schema: schemas.createdUserSchema,
  headers: { Location: 'URL of the record.', ETag: 'Version of the record, if the response contains it.' },
  examples: examples.createdUsers,
};

function getUserRoute(deps: UserRouteDeps): Route {
  return route({
    method: 'GET',
    path: '/api/v1/users/{id}',
    operationId: 'getUser',
    tag,
    summary: 'Get a user',
    description:
      'Returns the record to the administrator and to its user. Everyone else gets the same response whether or not the user exists.',
    access: 'optional',
    scope: 'self:read',
    params: schemas.userIdSchema,
    responses: {
      200: {
        description: 'The record, if the caller may see it.',
        schema: schemas.userResponseSchema,
        headers: { ETag: 'Version of the record, if the response contains it.' },
        examples: examples.userResponses,
      },
    },
    problems: ['user_not_found'],
    handle: (context) => getUser(deps, context),
  });
}

type CreateContext = HandlerContext<'optional', unknown, ValueOf<typeof schemas.createUserSchema>>;

async function createAccount(
  deps: UserRouteDeps,
  { body, transaction }: CreateContext,
): Promise<HandlerResponse> {
  // Validated by newUserSchema, which requires the name and the email.
  const owner = await prepareOwner(deps, body as NewUserInput, ADMINISTRATOR);
  return transaction(async (tx) => {
    await insertAccount(tx, owner);
    const user = (await findUser(tx, owner.id))!;
    return created(user.id, userView(user), { etag: versionETag(user.version) });
  });
}

function createUnclaimed(
  deps: UserRouteDeps,
  { body, transaction }: CreateContext,
): Promise<HandlerResponse> {
  return transaction(async (tx) => {
    const id = await createUnclaimedUser(deps, tx, body);
    return created(id, { id });
  });
}

function created(id: string, data: object, headers: Readonly<Record<string, string>> = {}): HandlerResponse {
  return {
    status: 201,
    headers: { location: `/api/v1/users/${id}`, ...headers },
    body: { message: 'User created', data },
    createdResources: { userId: id },
  };
}

async function getUser(
  { database }: UserRouteDeps,
  { caller, params }: HandlerContext<'optional', { id: string }>,
): Promise<HandlerResponse> {
  const { id } = params;
  if (caller.kind === 'admin') {
    const user = await findUser(database, parseUserId(id));
    if (user === undefined) throw new Problem('user_not_found');
    return userResponse(user);
  }
  const own = caller.kind === 'user' && caller.userId === id ? await findUser(database, id) : undefined;
  return own === undefined ? { status: 200, body: { message: `User ${id}` } } : userResponse(own);
}
