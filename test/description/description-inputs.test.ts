/** Holds the schemas of parameters and bodies to the service: both accept a value, or both reject it. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { ApiRequest } from '../support/api.ts';
import * as inputs from '../support/description/described-inputs.ts';
import {
  type DescribedOperation,
  description,
  operations,
  validatorAt,
} from '../support/description/description.ts';
import { type Json, pointerTo, valueAt } from '../support/description/json-reference.ts';
import { admin, editor, newUserData, useSharedService } from '../support/service.ts';
import { createUnclaimedUser, insertLoggedInUser } from '../support/users.ts';

interface Subject {
  /** Method and path of the operation. */
  readonly title: string;
  readonly values: readonly inputs.Input[];
  /** Returns a request that is valid but for the value. */
  readonly send: (name: string, value: unknown) => ApiRequest & { readonly path?: string };
}

const withMember =
  (base: () => object, options: ApiRequest = {}): Subject['send'] =>
  (name, value) => ({ ...options, body: { ...base(), [name]: value } });
const credentials = () => ({ email: 'nobody@example.com', password: 'x' });
const empty = () => ({});
/** The token of a user. */
const user = { token: '' };

const bodies: readonly Subject[] = [
  { title: 'POST /api/register', values: inputs.registration, send: withMember(newUserData) },
  { title: 'POST /api/login', values: inputs.login, send: withMember(credentials) },
  { title: 'POST /api/v1/users', values: inputs.unclaimedUser, send: withMember(empty) },
  { title: 'POST /api/v1/users', values: inputs.newUser, send: withMember(newUserData, admin) },
  {
    title: 'PATCH /api/v1/users/{id}',
    values: inputs.userUpdate,
    send: withMember(empty, editor),
  },
  {
    title: 'PUT /api/v1/users/{id}/password',
    values: [...inputs.newPassword, { name: 'unknown', accepted: [undefined], rejected: [1, null] }],
    send: withMember(() => ({ password: 'correct horse' }), admin),
  },
  { title: 'POST /api/v1/password-resets', values: inputs.address, send: withMember(empty) },
  { title: 'POST /api/v1/email-verifications', values: inputs.address, send: withMember(empty) },
  { title: 'POST /api/v1/password-resets/{token}', values: inputs.newPassword, send: withMember(empty) },
  {
    title: 'POST /api/v1/tokens',
    values: inputs.newToken,
    send: (name, value) => ({ ...user, body: { name: 'CI', [name]: value } }),
  },
];

const encoded = (value: unknown) => encodeURIComponent(String(value));

const parameters: readonly Subject[] = [
  {
    title: 'GET /api/v1/users',
    values: inputs.listQuery,
    send: (name, value) => ({ path: `/api/v1/users?${name}=${encoded(value)}` }),
  },
  {
    title: 'GET /api/v1/users/{id}',
    values: inputs.userIds,
    send: (_, value) => ({ path: `/api/v1/users/${encoded(value)}` }),
  },
  {
    title: 'DELETE /api/v1/tokens',
    values: inputs.revokedTokens,
    send: (name, value) => ({ path: `/api/v1/tokens?${name}=${encoded(value)}`, ...user }),
  },
  {
    title: 'POST /api/register',
    values: inputs.idempotencyKeys,
    send: (name, value) => ({ body: newUserData(), headers: { [name]: String(value) } }),
  },
];

const findOperation = ({ title }: Subject) => operations.find((each) => each.title === title)!;

describe('openapi.json and the service', () => {
  const service = useSharedService('sqlite');
  let record = '';
  before(async () => {
    record = (await createUnclaimedUser(service)).id;
    user.token = (await insertLoggedInUser(service.database)).token;
  });

  /** Returns whether the service accepts the value, and the response for messages. */
  const ask = async (
    { method, path }: DescribedOperation,
    name: string,
    request: ReturnType<Subject['send']>,
  ) => {
    const { path: ownPath = path.replace('{id}', record), ...options } = request;
    const { status, text } = await service.api.request(method, ownPath, options);
    return {
      isAccepted: status !== 400 && !(status === 404 && name === 'id'),
      response: `${status} ${text}`,
    };
  };

  const agree = (subject: Subject, { name, accepted, rejected }: inputs.Input, schema: GetSchemaName) => {
    test(`openapi.json and the service accept and reject the same values of ${name} in ${subject.title}`, async () => {
      const operation = findOperation(subject);
      const validate = validatorAt(schema(operation, name));
      for (const value of [...accepted, ...rejected]) {
        const request = subject.send(name, value);
        const shown = JSON.stringify(value)?.slice(0, 80);
        const { isAccepted, response } = await ask(operation, name, request);
        assert.equal(isAccepted, accepted.includes(value), `${shown}: ${response}`);
        // As JSON: members without a value are not sent.
        const described = schema === bodySchema ? JSON.parse(JSON.stringify(request.body)) : value;
        assert.equal(validate(described), isAccepted, `${shown} against the schema`);
      }
    });
  };

  for (const subject of bodies) for (const input of subject.values) agree(subject, input, bodySchema);
  for (const subject of parameters)
    for (const input of subject.values) agree(subject, input, parameterSchema);
});

/** Returns a pointer to the schema that a value is part of. */
type GetSchemaName = (operation: DescribedOperation, name: string) => string;

function bodySchema({ pointer }: DescribedOperation): string {
  return pointerTo(pointer, 'requestBody', 'content', 'application/json', 'schema');
}

function parameterSchema({ pointer, operation }: DescribedOperation, name: string): string {
  const index: number = operation.parameters.findIndex((each: Json) => each.name === name);
  const own = pointerTo(pointer, 'parameters', String(index));
  return pointerTo(valueAt(description, own).$ref ?? own, 'schema');
}
