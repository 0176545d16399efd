/** The passkeys of the current user. */
import { getUserCaller } from '../../../callers/callers.ts';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { dataSchema, recordSchema } from '../../../lib/schema/json-schema.ts';
import { idParameters } from '../../../lib/schema/query-parameters.ts';
import { describeEmpty, describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { PROVEN, proofBody as proof } from '../accounts/totp-schemas.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';
import { requireRelyingParty } from '../sign-in/relying-party.ts';
import { toProof } from '../sign-in/require-proof.ts';
import { NOT_CACHED } from '../tokens/token-responses.ts';
import { createPasskeyOptions } from './begin-ceremony.ts';
import { addPasskey, removeOwnPasskey, renamePasskey } from './change-passkeys.ts';
import {
  credentialSchema,
  examples,
  optionsSchema,
  passkeyName,
  passkeySchema,
  passkeyView,
} from './passkey.ts';
import { listPasskeys } from './queries.ts';
import { MAX_CREDENTIAL_BYTES, OPTIONS } from './sign-in-routes.ts';

const tags = ['Accounts'];
const own = '/api/v1/me/passkeys';
const params = idParameters({ id: 'Id of a passkey.' });
const write = { access: 'user', scope: 'self:write' } as const;

export const passkeyList = describeResponse(
  dataSchema({ type: 'array', items: passkeySchema }),
  'At most 20 passkeys, oldest first.',
  { passkeys: { message: 'Passkeys list', data: [examples.passkey] } },
);
const onePasskey = (message: string) =>
  describeResponse(dataSchema(passkeySchema), 'The passkey.', {
    passkey: { message, data: examples.passkey },
  });

const beginRoute = {
  schema: {
    operationId: 'beginPasskey',
    tags,
    summary: 'Begin to add a passkey',
    description:
      'Returns the options for `PublicKeyCredential.parseCreationOptionsFromJSON()` and `navigator.credentials.create()`. The page has to be one of `PUBLIC_URL` or `PASSKEY_ORIGINS`. A wrong password counts as a failed login.',
    body: proof,
    response: {
      200: describeResponse(optionsSchema, 'The options.', {
        options: { message: OPTIONS, data: examples.creationOptions },
      }),
    },
  },
  config: { ...PROVEN, problems: ['too_many_passkeys', 'passkeys_unavailable', 'too_many_requests'] },
} as const;

const ADDED = 'Passkey added';

const addRoute = {
  schema: {
    operationId: 'addPasskey',
    tags,
    summary: 'Add a passkey',
    description:
      'Stores the passkey that the browser has made with the options. Without a name, it gets that of its authenticator. The options are used up, whatever the response. The user gets a notice by email.',
    body: {
      title: 'NewPasskeyRequest',
      type: 'object',
      required: ['credential'],
      properties: { credential: credentialSchema, name: passkeyName },
      examples: [{ credential: examples.attestation, name: 'My phone' }],
    },
    response: { 201: onePasskey(ADDED) },
  },
  config: { ...write, limits: ['login'], problems: ['too_many_passkeys', 'passkeys_unavailable'] },
  bodyLimit: MAX_CREDENTIAL_BYTES,
} as const;

const listRoute = {
  schema: {
    operationId: 'listPasskeys',
    tags,
    summary: 'List own passkeys',
    description: 'Returns the passkeys with which the user can sign in.',
    response: { 200: passkeyList },
  },
  config: { access: 'user', scope: 'self:read' },
} as const;

const RENAMED = 'Passkey renamed';

const renameRoute = {
  schema: {
    operationId: 'renamePasskey',
    tags,
    summary: 'Rename an own passkey',
    description: 'Changes the name, by which people recognise the passkey.',
    params,
    body: {
      title: 'PasskeyChange',
      ...recordSchema({ name: passkeyName }),
      examples: [{ name: 'My phone' }],
    },
    response: { 200: onePasskey(RENAMED) },
  },
  config: { ...write, problems: ['passkey_not_found'] },
} as const;

const removeRoute = {
  schema: {
    operationId: 'removePasskey',
    tags,
    summary: 'Remove an own passkey',
    description:
      'The user can no longer sign in with it. The last way to sign in that works cannot be removed: set a password before. A wrong password counts as a failed login. The user gets a notice by email.',
    params,
    body: proof,
    response: { 204: describeEmpty({ description: 'Removed.' }) },
  },
  config: { ...PROVEN, problems: ['passkey_not_found', 'last_way_in', 'too_many_requests'] },
} as const;

export const ownPasskeys: FeaturePlugin<AccountDeps> = async (app, deps) => {
  app.post(`${own}/options`, beginRoute, async (request, reply) => {
    const ceremony = { relyingParty: requireRelyingParty(deps, request), binding: '' };
    const data = await createPasskeyOptions(deps, toProof(request), ceremony);
    return reply.headers(NOT_CACHED).send({ message: OPTIONS, data });
  });

  app.post(own, addRoute, async (request, reply) => {
    const { userId } = getUserCaller(request);
    const relyingParty = requireRelyingParty(deps, request);
    const row = await addPasskey(deps, { ...request.body, userId, relyingParty, binding: '' });
    return reply.code(201).send({ message: ADDED, data: passkeyView(row) });
  });

  app.get(own, listRoute, async (request) => sendPasskeys(deps, getUserCaller(request).userId));

  app.patch(`${own}/:id`, renameRoute, async (request) => {
    const { params, body } = request;
    const { userId } = getUserCaller(request);
    const row = await renamePasskey(deps, { userId, id: params.id, name: body.name });
    return { message: RENAMED, data: passkeyView(row) };
  });

  app.delete(`${own}/:id`, removeRoute, async (request, reply) => {
    await removeOwnPasskey(deps, toProof(request), request.params.id);
    return reply.code(204).send();
  });
};

/** Returns the response with the passkeys of a user. */
export async function sendPasskeys({ database }: Pick<AccountDeps, 'database'>, userId: string) {
  return { message: 'Passkeys list', data: (await listPasskeys(database, userId)).map(passkeyView) };
}
