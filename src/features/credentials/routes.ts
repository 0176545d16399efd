import { getAdminCaller } from '../../callers/callers.ts';
import type { DatabaseDeps } from '../../database/database.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { optionalBody } from '../../plugins/bodies/json-bodies.ts';
import { describeEmpty, describeResponse } from '../../plugins/openapi/describe-response.ts';
import { Problem } from '../../problems/problem.ts';
import { secretResponse } from '../records/responses.ts';
import { createCredential, revokeCredential, rotateCredential } from './change-credential.ts';
import * as credential from './credential.ts';
import { findCredential, listCredentials } from './queries.ts';
import { DEFAULT_OVERLAP_SECONDS, parseCredentialId } from './rules.ts';

const path = '/api/v1/credentials';
const tags = ['Credentials'];
const read = { access: 'admin', scope: 'admin' } as const;
const write = { ...read, recentSignIn: 'always' } as const;

/** Credentials of programs. */
export const namedCredentials: FeaturePlugin<DatabaseDeps> = async (app, deps) => {
  const { database, clock } = deps;
  await app.register(newCredentials, deps);

  app.get(path, listCredentialsRoute, async (request) => {
    const context = { caller: getAdminCaller(request).credential, now: clock() };
    const rows = await listCredentials(database);
    const data = rows.map((row) => credential.credentialView(row, context));
    return { message: 'Credentials list', data };
  });

  app.get(`${path}/:id`, getCredentialRoute, async (request) => {
    const row = await findCredential(database, parseCredentialId(request.params.id));
    if (row === undefined) throw new Problem('credential_not_found');
    const context = { caller: getAdminCaller(request).credential, now: clock() };
    return { message: `Credential ${row.id}`, data: credential.credentialView(row, context) };
  });

  app.delete(`${path}/:id`, revokeCredentialRoute, async (request, reply) => {
    const { credential: caller } = getAdminCaller(request);
    await revokeCredential(deps, caller, parseCredentialId(request.params.id));
    return reply.code(204).send();
  });
};

/** Operations that return the secret of a credential. */
const newCredentials: FeaturePlugin<Pick<DatabaseDeps, 'clock'>> = async (app, deps) => {
  app.post(path, createCredentialRoute, (request, reply) =>
    reply.sendOnce(async () => {
      const caller = getAdminCaller(request).credential;
      const { name, scopes, expires_at: expiresAt = null, networks = null } = request.body;
      return {
        store: async (tx) => {
          const created = await createCredential(deps, tx, { caller, name, scopes, expiresAt, networks });
          const data = credential.credentialWithSecret(created, { caller, now: deps.clock() });
          return secretResponse({ message: 'Credential created', data }, `${path}/${data.id}`);
        },
      };
    }),
  );

  app.post(`${path}/:id/rotate`, rotateCredentialRoute, (request, reply) =>
    reply.sendOnce(async () => {
      const caller = getAdminCaller(request).credential;
      const { overlap: overlapSeconds = DEFAULT_OVERLAP_SECONDS } = request.body;
      return {
        store: async (tx) => {
          const id = parseCredentialId(request.params.id);
          const rotated = await rotateCredential(deps, tx, { caller, id, overlapSeconds });
          const data = credential.credentialWithSecret(rotated, { caller, now: deps.clock() });
          return secretResponse({ message: 'Credential rotated', data });
        },
      };
    }),
  );
};

const listCredentialsRoute = {
  schema: {
    operationId: 'listCredentials',
    tags,
    summary: 'List credentials',
    description:
      'Returns all named credentials, oldest first, also those that have expired. `ADMIN_TOKEN` is none of them.',
    response: {
      200: describeResponse(credential.credentialListSchema, 'At most 200 credentials.', {
        credentials: credential.examples.list,
      }),
    },
  },
  config: read,
} as const;

const getCredentialRoute = {
  schema: {
    operationId: 'getCredential',
    tags,
    summary: 'Get a credential',
    description: 'Returns the credential without its secret.',
    params: credential.credentialIdSchema,
    response: {
      200: describeResponse(credential.credentialResponseSchema, 'The credential.', {
        credential: credential.examples.response,
      }),
    },
  },
  config: { ...read, problems: ['credential_not_found'] },
} as const;

const revokeCredentialRoute = {
  schema: {
    operationId: 'revokeCredential',
    tags,
    summary: 'Revoke a credential',
    description: 'Deletes the credential. No node accepts it after the response.',
    params: credential.credentialIdSchema,
    response: { 204: describeEmpty({ description: 'Revoked.' }) },
  },
  config: { ...write, problems: ['credential_not_found'] },
} as const;

const createCredentialRoute = {
  schema: {
    operationId: 'createCredential',
    tags,
    summary: 'Create a credential',
    description:
      'For a program that administers the service, with a name and no more scopes than it needs. People sign in to the console as users with a role. At most 200.',
    body: { ...credential.createCredentialSchema, examples: [credential.examples.newCredential] },
    response: {
      201: describeResponse(credential.newCredentialSchema, {
        description: 'The credential and its secret, which cannot be read again.',
        headers: { Location: 'URL of the credential.' },
        examples: { created: credential.examples.created },
      }),
    },
  },
  config: {
    ...write,
    idempotent: true,
    problems: ['credential_name_taken', 'too_many_credentials'],
  },
} as const;

const rotateCredentialRoute = {
  schema: {
    operationId: 'rotateCredential',
    tags,
    summary: 'Rotate a credential',
    description:
      'Replaces the secret; name, scopes, networks and expiry stay. The replaced secret is accepted for the `overlap`. A further rotation in this time ends the validity of the oldest of the three secrets at once.',
    params: credential.credentialIdSchema,
    body: { ...credential.rotateCredentialSchema, examples: [{ overlap: 3_600 }] },
    response: {
      200: describeResponse(
        credential.newCredentialSchema,
        'The credential and its new secret, which cannot be read again.',
        { rotated: credential.examples.rotated },
      ),
    },
  },
  config: {
    ...write,
    idempotent: true,
    problems: ['credential_not_found', 'credential_expired'],
  },
  preValidation: optionalBody,
} as const;
