import { type Pagination, pageLinks } from '../../http/pagination.ts';
import { type Answer, type Call, type Route, route } from '../../http/route.ts';
import { Problem } from '../../problems.ts';
import { isId } from '../../tools/ids.ts';
import { type CreateUserDeps, createUnclaimedUser, type NewUserInput, prepareUser } from './create-user.ts';
import * as examples from './examples.ts';
import { deleteUser, findUser, listUsers } from './queries.ts';
import { readFilter } from './rules.ts';
import * as schemas from './schemas.ts';
import { type UpdateUserDeps, updateUser } from './update-user.ts';
import { userTag, userView } from './user-view.ts';

export interface UserRouteDeps extends CreateUserDeps, UpdateUserDeps {
  readonly pagination: Pagination;
  readonly publicUrl: string;
  /** `admin`: strangers may not make records. */
  readonly usersCreate: 'open' | 'admin';
}

const tag = 'Users';

export function userRoutes(deps: UserRouteDeps): Route[] {
  const { database } = deps;
  return [
    route({
      method: 'GET',
      path: '/api/v1/users',
      operationId: 'listUsers',
      tag,
      summary: 'List users',
      description:
        'Without a credential only the constant message. A user sees their own record, the administrator all of them, page by page, oldest first.',
      access: 'optional',
      query: schemas.listParameters,
      responses: {
        200: {
          description: 'What the caller may see.',
          schema: schemas.userListSchema,
          headers: { Link: 'The next and the first page, when there is more than one (RFC 8288).' },
          examples: examples.userLists,
        },
      },
      problems: ['invalid_limit', 'invalid_cursor', 'invalid_filter'],
      handle: (call) => list(deps, call),
    }),
    route({
      method: 'POST',
      path: '/api/v1/users',
      operationId: 'createUser',
      tag,
      summary: 'Create a user record',
      description:
        'Anybody may make an unclaimed record, which cannot log in and whose address reserves nothing. The administrator makes accounts: `name` and `email` are then required, and a password makes the account active at once.',
      access: 'optional',
      limits: ['create'],
      idempotent: true,
      body: schemas.createUserSchema,
      bodyFor: ({ kind }) => (kind === 'admin' ? schemas.newUserSchema : schemas.unclaimedUserSchema),
      bodyOptional: true,
      bodyExample: { name: 'Ada Lovelace', email: 'ada@example.com' },
      responses: {
        201: {
          description: 'Created.',
          schema: schemas.createdUserSchema,
          headers: { Location: 'The address of the record.' },
          examples: examples.createdUsers,
        },
      },
      problems: ['forbidden', 'email_taken'],
      handle: (call) => create(deps, call),
    }),
    route({
      method: 'GET',
      path: '/api/v1/users/{id}',
      operationId: 'getUser',
      tag,
      summary: 'Read a user',
      description:
        'Without a credential, and for the id of somebody else, the answer is the same whether or not the user exists.',
      access: 'optional',
      params: schemas.userIdSchema,
      responses: {
        200: {
          description: 'The record, as far as the caller may see it.',
          schema: schemas.userAnswerSchema,
          headers: { ETag: 'The version of the record, when it is shown.' },
          examples: examples.userAnswers,
        },
      },
      problems: ['user_not_found'],
      handle: (call) => read(deps, call),
    }),
    route({
      method: 'PATCH',
      path: '/api/v1/users/{id}',
      operationId: 'updateUser',
      tag,
      summary: 'Change a user',
      description:
        'Members that are left out stay as they are. Disabling a user ends all of their sessions at once; a new address is not verified.',
      access: 'admin',
      params: schemas.userIdSchema,
      headers: schemas.ifMatchHeader,
      requiredHeaders: ['If-Match'],
      body: schemas.updateUserSchema,
      bodyExample: { level: 'gold', state: 'active' },
      responses: {
        200: {
          description: 'The record after the change.',
          schema: schemas.userAnswerSchema,
          headers: { ETag: 'The new version.' },
          examples: { changed: examples.userAnswers.administrator },
        },
      },
      problems: [
        'user_not_found',
        'email_taken',
        'version_conflict',
        'precondition_failed',
        'precondition_required',
      ],
      handle: async ({ params, body, headers }) => {
        const user = await updateUser(
          deps,
          knownId(params.id),
          body,
          headers['if-match'] as string | undefined,
        );
        return shown(user.id, user);
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/v1/users/{id}',
      operationId: 'deleteUser',
      tag,
      summary: 'Erase a user',
      description: 'The record, its tokens and its activity are gone for good.',
      access: 'admin',
      params: schemas.userIdSchema,
      responses: { 204: { description: 'Erased.' } },
      problems: ['user_not_found'],
      handle: async ({ params }) => {
        const erased = await database.transaction((tx) => deleteUser(tx, knownId(params.id)));
        if (!erased) throw new Problem('user_not_found');
        return { status: 204 };
      },
    }),
  ];
}

async function list(deps: UserRouteDeps, { caller, query }: Call<'optional'>): Promise<Answer> {
  const { database, pagination, publicUrl } = deps;
  const message = 'Users list';
  // Read for everybody: a wrong parameter is a mistake worth telling, whoever makes it.
  const filter = readFilter(query);
  const scope = `users:${filter.state ?? ''}:${filter.emailKey ?? ''}`;
  const { limit, after } = pagination.read(query, scope);
  if (caller.kind === 'anonymous') return { status: 200, body: { message } };
  if (caller.kind === 'user') {
    const own = await findUser(database, caller.userId);
    return { status: 200, body: { message, data: own === undefined ? [] : [userView(own)] } };
  }
  const found = await listUsers(database, after, limit + 1, filter);
  const users = found.slice(0, limit);
  const next = found.length > limit ? pagination.cursor(users.at(-1)!.id, scope) : null;
  const filters = {
    ...(filter.state === null ? {} : { state: filter.state }),
    ...(filter.emailKey === null ? {} : { email: filter.emailKey }),
  };
  const link = pageLinks(`${publicUrl}/api/v1/users`, filters, limit, next, after === null);
  return {
    status: 200,
    ...(link === undefined ? {} : { headers: { link } }),
    body: { message, data: users.map(userView), next_cursor: next },
  };
}

async function create(deps: UserRouteDeps, { caller, body, commit }: Call<'optional'>): Promise<Answer> {
  if (caller.kind === 'admin') {
    const createUser = await prepareUser(deps, body as NewUserInput);
    return commit(async (tx) => {
      const user = await createUser(tx);
      return created(user.id, userView(user), { etag: userTag(user) });
    });
  }
  if (deps.usersCreate === 'admin') throw new Problem('forbidden');
  return commit(async (tx) => {
    const id = await createUnclaimedUser(tx, deps.clock(), body as { name?: string; email?: string });
    return created(id, { id });
  });
}

function created(id: string, data: object, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status: 201,
    headers: { location: `/api/v1/users/${id}`, ...headers },
    body: { message: 'User created', data },
    gives: { userId: id },
  };
}

async function read(
  { database }: UserRouteDeps,
  { caller, params }: Call<'optional', { id: string }>,
): Promise<Answer> {
  const { id } = params;
  if (caller.kind === 'admin') {
    const user = await findUser(database, knownId(id));
    if (user === undefined) throw new Problem('user_not_found');
    return shown(id, user);
  }
  const own = caller.kind === 'user' && caller.userId === id ? await findUser(database, id) : undefined;
  return own === undefined ? { status: 200, body: { message: `User ${id}` } } : shown(id, own);
}

/** Text that cannot be an id names no user. */
function knownId(id: string): string {
  if (!isId(id)) throw new Problem('user_not_found');
  return id;
}

function shown(id: string, user: Parameters<typeof userView>[0]): Answer {
  return {
    status: 200,
    headers: { etag: userTag(user) },
    body: { message: `User ${id}`, data: userView(user) },
  };
}
