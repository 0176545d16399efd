import { versionETag } from '../../http/request/preconditions.ts';
import { type HandlerContext, type HandlerResponse, type Route, route } from '../../http/route.ts';
import { Problem } from '../../problems.ts';
import {
  type CreateUserDeps,
  createUnclaimedUser,
  insertOwner,
  type NewUserInput,
  prepareOwner,
} from './create-user.ts';
import * as examples from './examples.ts';
import { type ListUsersDeps, listUsers } from './list-users.ts';
import { findUser } from './queries.ts';
import * as schemas from './schemas.ts';
import { parseUserId, userListResponse, userResponse, userView } from './user-view.ts';

export interface UserRouteDeps extends CreateUserDeps, ListUsersDeps {
  /** `admin`: anonymous callers cannot create records. */
  readonly usersCreate: 'open' | 'admin';
  readonly publicUrl: string;
}

const tag = 'Users';

export function userRoutes(deps: UserRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/users',
      operationId: 'listUsers',
      tag,
      summary: 'List users',
      description:
        'Returns all records to the administrator, in pages, oldest first. A user gets their own record, an anonymous caller only the message.',
      access: 'optional',
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
    }),
    route({
      method: 'POST',
      path: '/api/v1/users',
      operationId: 'createUser',
      tag,
      summary: 'Create a user record',
      description:
        'Anyone may create an unclaimed record, which cannot log in and does not reserve its email. The administrator creates accounts: `name` and `email` are then required, and an account with a password is active immediately.',
      access: 'optional',
      limits: ['create'],
      isOpenTo: ({ kind }) => kind === 'admin' || deps.usersCreate === 'open',
      idempotent: true,
      body: schemas.createUserSchema,
      bodyFor: ({ kind }) => (kind === 'admin' ? schemas.newUserSchema : schemas.unclaimedUserSchema),
      bodyOptional: true,
      bodyExample: { name: 'Ada Lovelace', email: 'ada@example.com' },
      responses: {
        201: {
          description: 'Created.',
          schema: schemas.createdUserSchema,
          headers: {
            Location: 'URL of the record.',
            ETag: 'Version of the record, if the response contains it.',
          },
          examples: examples.createdUsers,
        },
      },
      problems: ['email_taken'],
      handle: (call) => create(deps, call),
    }),
    route({
      method: 'GET',
      path: '/api/v1/users/{id}',
      operationId: 'getUser',
      tag,
      summary: 'Get a user',
      description:
        'Returns the record to the administrator and to its user. Everyone else gets the same response whether or not the user exists.',
      access: 'optional',
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
      handle: (call) => read(deps, call),
    }),
  ];
}

async function create(
  deps: UserRouteDeps,
  { caller, body, transaction }: HandlerContext<'optional'>,
): Promise<HandlerResponse> {
  if (caller.kind === 'admin') {
    const owner = await prepareOwner(deps, body as NewUserInput);
    return transaction(async (tx) => {
      await insertOwner(tx, owner);
      const user = (await findUser(tx, owner.id))!;
      return created(user.id, userView(user), { etag: versionETag(user.version) });
    });
  }
  return transaction(async (tx) => {
    const id = await createUnclaimedUser(tx, deps.clock(), body as { name?: string; email?: string });
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

async function read(
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
