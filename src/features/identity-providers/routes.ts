/** Identity providers, for the administrator. */
import type { FastifyReply } from 'fastify';
import { ifMatch, versionETag } from '../../lib/routes/preconditions.ts';
import { type FeaturePlugin, getServiceOrigin } from '../../lib/routes/routes.ts';
import { formatTimes } from '../../lib/time.ts';
import { describeEmpty, describeResponse } from '../../plugins/openapi/describe-response.ts';
import { Problem } from '../../problems/problem.ts';
import type { AccountDeps } from '../people/sign-in/account-deps.ts';
import { readScopes } from '../people/tokens/scopes.ts';
import { NOT_CACHED } from '../people/tokens/token-responses.ts';
import { ifMatchHeader } from '../users/records/schemas.ts';
import { createProvider, deleteProvider, type ProviderDeps, updateProvider } from './change-provider.ts';
import { checkProvider } from './check-provider.ts';
import * as examples from './examples.ts';
import { identities } from './identity-routes.ts';
import { findProvider, listProviders, type ProviderRow } from './queries.ts';
import { parseProviderId, toRedirectUri, toSettings } from './rules.ts';
import * as schemas from './schemas.ts';
import type { ClientDeps } from './upstream/upstream-clients.ts';

const tags = ['Identity providers'];
const path = '/api/v1/identity-providers';
const config = { access: 'admin', scope: 'identity-providers:write' } as const;
const params = schemas.providerIdSchema;
const found = { ...config, problems: ['identity_provider_not_found'] } as const;
const message = `Identity provider ${examples.provider.id}`;
const describeProvider = (description: string, data: object = examples.provider) =>
  describeResponse(schemas.providerResponseSchema, {
    description,
    headers: { ETag: 'Version of the provider.' },
    examples: { provider: { message, data } },
  });

const listRoute = {
  schema: {
    operationId: 'listIdentityProviders',
    tags,
    summary: 'List identity providers',
    description: 'Returns all identity providers, oldest first, without their secrets.',
    response: {
      200: describeResponse(schemas.providerListSchema, 'At most 10 providers.', {
        providers: { message: 'Identity providers list', data: [examples.provider] },
      }),
    },
  },
  config,
} as const;

const createRoute = {
  schema: {
    operationId: 'createIdentityProvider',
    tags,
    summary: 'Add an identity provider',
    description:
      'Lets people sign in with their account at an OpenID Connect provider, or at GitHub. At most 10. Register `redirect_uri` of the response at the provider, then check it.',
    body: { ...schemas.createProviderSchema, examples: [examples.newProvider] },
    response: {
      201: describeResponse(schemas.providerResponseSchema, {
        description: 'The provider.',
        headers: { Location: 'URL of the provider.', ETag: 'Version of the provider.' },
        examples: { created: { message: 'Identity provider created', data: examples.provider } },
      }),
    },
  },
  config: { ...config, recentSignIn: 'always', idempotent: true, problems: ['too_many_identity_providers'] },
} as const;

const getRoute = {
  schema: {
    operationId: 'getIdentityProvider',
    tags,
    summary: 'Get an identity provider',
    description: 'Returns the provider without its secret.',
    params,
    response: { 200: describeProvider('The provider.') },
  },
  config: found,
} as const;

const updateRoute = {
  schema: {
    operationId: 'updateIdentityProvider',
    tags,
    summary: 'Update an identity provider',
    description:
      'Changes the given members only, and rejects any others. With another issuer, identities of the former one can no longer be used.',
    params,
    headers: { type: 'object', properties: ifMatchHeader, required: ['If-Match'] },
    body: { ...schemas.updateProviderSchema, examples: [{ enabled: false }] },
    response: {
      200: describeProvider('After the change.', { ...examples.provider, enabled: false, version: 2 }),
    },
  },
  config: {
    ...config,
    recentSignIn: 'always',
    problems: ['identity_provider_not_found', 'precondition_failed', 'precondition_required'],
  },
} as const;

const deleteRoute = {
  schema: {
    operationId: 'deleteIdentityProvider',
    tags,
    summary: 'Delete an identity provider',
    description:
      'Nobody can sign in with it any more. Identities stay, and can be used again if a provider with the same issuer is added.',
    params,
    headers: { type: 'object', properties: ifMatchHeader },
    response: { 204: describeEmpty({ description: 'Deleted.' }) },
  },
  config: {
    ...config,
    recentSignIn: 'always',
    problems: ['identity_provider_not_found', 'precondition_failed'],
  },
} as const;

const checkRoute = {
  schema: {
    operationId: 'checkIdentityProvider',
    tags,
    summary: 'Check an identity provider',
    description:
      'Reads its metadata and keys, and presents a code that does not exist, to find out whether the client is accepted. The message of the last step has the redirect URI. After a failure of one of the first two steps, the others are not checked.',
    params,
    response: {
      200: describeResponse(schemas.checkListSchema, 'One result for each step.', {
        checks: examples.checks,
      }),
    },
  },
  config: found,
} as const;

interface ProviderRouteDeps extends ProviderDeps, ClientDeps {
  readonly publicUrl: string;
}

async function requireProvider({ database }: ProviderDeps, id: string): Promise<ProviderRow> {
  const row = await findProvider(database, parseProviderId(id));
  if (row === undefined) throw new Problem('identity_provider_not_found');
  return row;
}

const sendProvider = (reply: FastifyReply, row: ProviderRow, origin: string) =>
  reply.header('etag', versionETag(row.version)).send({
    message: `Identity provider ${row.id}`,
    data: providerView(row, origin),
  });

export const identityProviders: FeaturePlugin<ProviderRouteDeps & AccountDeps> = async (app, deps) => {
  const { database, publicUrl } = deps;

  app.get(path, listRoute, async ({ headers }) => {
    const origin = getServiceOrigin(publicUrl, headers);
    const rows = await listProviders(database);
    return { message: 'Identity providers list', data: rows.map((row) => providerView(row, origin)) };
  });

  app.post(path, createRoute, ({ body: given, headers: sent }, reply) =>
    reply.sendOnce(async () => {
      const origin = getServiceOrigin(publicUrl, sent);
      const settings = toSettings(given, deps.webhookAddresses);
      return {
        store: async (tx) => {
          const row = await createProvider(deps, tx, { settings, secret: given.client_secret });
          const headers = { ...NOT_CACHED, etag: versionETag(row.version), location: `${path}/${row.id}` };
          const body = { message: 'Identity provider created', data: providerView(row, origin) };
          return { status: 201, headers, body, createdResources: {} };
        },
      };
    }),
  );

  await app.register(singleProviders, deps);
  await app.register(identities, deps);
};

const singleProviders: FeaturePlugin<ProviderRouteDeps> = async (app, deps) => {
  const { publicUrl } = deps;

  app.get(`${path}/:id`, getRoute, async ({ params, headers }, reply) =>
    sendProvider(reply, await requireProvider(deps, params.id), getServiceOrigin(publicUrl, headers)),
  );

  app.patch(`${path}/:id`, updateRoute, async ({ params, body: given, headers }, reply) => {
    const origin = getServiceOrigin(publicUrl, headers);
    const update = { id: parseProviderId(params.id), given, isExpected: ifMatch(headers) };
    return sendProvider(reply, await updateProvider(deps, update), origin);
  });

  app.delete(`${path}/:id`, deleteRoute, async ({ params, headers }, reply) => {
    await deleteProvider(deps, parseProviderId(params.id), ifMatch(headers));
    return reply.code(204).send();
  });

  app.post(`${path}/:id/check`, checkRoute, async ({ params, headers }) => {
    const origin = getServiceOrigin(publicUrl, headers);
    const row = await requireProvider(deps, params.id);
    const data = await checkProvider(deps, row, toRedirectUri(origin, row.id));
    return { message: 'Identity provider checked', data };
  });
};

function providerView({ client_secret: _, ...row }: ProviderRow, origin: string) {
  return {
    ...formatTimes(row, ['created_at', 'updated_at']),
    scopes: readScopes(row.scopes),
    trust_email: row.trust_email === 1,
    enabled: row.enabled === 1,
    redirect_uri: toRedirectUri(origin, row.id),
  };
}
