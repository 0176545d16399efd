import { getAdminCaller } from '../../callers/callers.ts';
import type { DatabaseDeps } from '../../database/database.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { describeEmpty, describeResponse } from '../../plugins/openapi/describe-response.ts';
import { Problem } from '../../problems/problem.ts';
import { credentialView } from './credential-view.ts';
import * as examples from './examples.ts';
import { newCredentials } from './new-credential-routes.ts';
import { findCredential, listCredentials } from './queries.ts';
import { revokeCredential } from './revoke-credential.ts';
import { parseCredentialId } from './rules.ts';
import * as schemas from './schemas.ts';

const tags = ['Credentials'];

const listCredentialsRoute = {
  schema: {
    operationId: 'listCredentials',
    tags,
    summary: 'List credentials',
    description:
      'Returns all named credentials, oldest first, also those that have expired. `ADMIN_TOKEN` is none of them.',
    response: {
      200: describeResponse(schemas.credentialListSchema, 'At most 200 credentials.', {
        credentials: examples.list,
      }),
    },
  },
  config: { access: 'admin', scope: 'admin' },
} as const;

const getCredentialRoute = {
  schema: {
    operationId: 'getCredential',
    tags,
    summary: 'Get a credential',
    description: 'Returns the credential without its secret.',
    params: schemas.credentialIdSchema,
    response: {
      200: describeResponse(schemas.credentialResponseSchema, 'The credential.', {
        credential: examples.response,
      }),
    },
  },
  config: { access: 'admin', scope: 'admin', problems: ['credential_not_found'] },
} as const;

const revokeCredentialRoute = {
  schema: {
    operationId: 'revokeCredential',
    tags,
    summary: 'Revoke a credential',
    description: 'Deletes the credential. No node accepts it after the response.',
    params: schemas.credentialIdSchema,
    response: { 204: describeEmpty({ description: 'Revoked.' }) },
  },
  config: { access: 'admin', scope: 'admin', recentSignIn: 'always', problems: ['credential_not_found'] },
} as const;

export const namedCredentials: FeaturePlugin<DatabaseDeps> = async (app, deps) => {
  const { database, clock } = deps;
  await app.register(newCredentials, deps);

  app.get('/api/v1/credentials', listCredentialsRoute, async (request) => {
    const context = { caller: getAdminCaller(request).credential, now: clock() };
    const rows = await listCredentials(database);
    return { message: 'Credentials list', data: rows.map((row) => credentialView(row, context)) };
  });

  app.get('/api/v1/credentials/:id', getCredentialRoute, async (request) => {
    const row = await findCredential(database, parseCredentialId(request.params.id));
    if (row === undefined) throw new Problem('credential_not_found');
    const context = { caller: getAdminCaller(request).credential, now: clock() };
    return { message: `Credential ${row.id}`, data: credentialView(row, context) };
  });

  app.delete('/api/v1/credentials/:id', revokeCredentialRoute, async (request, reply) => {
    const { credential } = getAdminCaller(request);
    await revokeCredential(deps, credential, parseCredentialId(request.params.id));
    return reply.code(204).send();
  });
};
