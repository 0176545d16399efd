/** Identity providers, for the administrator. */
import { ifMatch } from '../../lib/routes/preconditions.ts';
import { type FeaturePlugin, getServiceOrigin } from '../../lib/routes/routes.ts';
import { describeEmpty, describeResponse } from '../../plugins/openapi/describe-response.ts';
import type { AccountDeps } from '../people/sign-in/account-deps.ts';
import { getRecord } from '../records/change-record.ts';
import { secretResponse, sendRecord } from '../records/responses.ts';
import { ifMatchHeader } from '../users/records/schemas.ts';
import { createProvider, deleteProvider, type ProviderDeps, updateProvider } from './change-provider.ts';
import { checkProvider } from './check-provider.ts';
import { identities } from './identity-routes.ts';
import * as provider from './provider.ts';
import { listProviders, providerStore } from './queries.ts';
import { toSettings } from './rules.ts';
import type { ClientDeps } from './upstream/upstream-clients.ts';

const tags = ['Identity providers'];
const path = '/api/v1/identity-providers';
const read = { access: 'admin', scope: 'identity-providers:write' } as const;
const write = { ...read, recentSignIn: 'always' } as const;
const params = provider.providerIdSchema;
const found = { ...read, problems: ['identity_provider_not_found'] } as const;

interface ProviderRouteDeps extends ProviderDeps, ClientDeps {
  readonly publicUrl: string;
}

export const identityProviders: FeaturePlugin<ProviderRouteDeps & AccountDeps> = async (app, deps) => {
  const { database, publicUrl } = deps;

  app.get(path, listRoute, async ({ headers }) => {
    const origin = getServiceOrigin(publicUrl, headers);
    const rows = await listProviders(database);
    const data = rows.map((row) => provider.providerView(row, origin));
    return { message: 'Identity providers list', data };
  });

  app.post(path, createRoute, ({ body: given, headers }, reply) =>
    reply.sendOnce(async () => {
      const origin = getServiceOrigin(publicUrl, headers);
      const settings = toSettings(given, deps.webhookAddresses);
      return {
        store: async (tx) => {
          const row = await createProvider(deps, tx, { settings, secret: given.client_secret });
          const data = provider.providerView(row, origin);
          return secretResponse({ message: 'Identity provider created', data }, `${path}/${row.id}`);
        },
      };
    }),
  );

  await app.register(singleProviders, deps);
  await app.register(identities, deps);
};

const singleProviders: FeaturePlugin<ProviderRouteDeps> = async (app, deps) => {
  const { database, publicUrl } = deps;
  const toMessage = (row: provider.ProviderRow, origin: string) => ({
    message: `Identity provider ${row.id}`,
    data: provider.providerView(row, origin),
  });

  app.get(`${path}/:id`, getRoute, async ({ params, headers }, reply) => {
    const row = await getRecord(database, providerStore, params.id);
    return sendRecord(reply, toMessage(row, getServiceOrigin(publicUrl, headers)));
  });

  app.patch(`${path}/:id`, updateRoute, async ({ params, body: given, headers }, reply) => {
    const origin = getServiceOrigin(publicUrl, headers);
    const expected = { id: params.id, isExpected: ifMatch(headers) };
    return sendRecord(reply, toMessage(await updateProvider(deps, expected, given), origin));
  });

  app.delete(`${path}/:id`, deleteRoute, async ({ params, headers }, reply) => {
    await deleteProvider(deps, { id: params.id, isExpected: ifMatch(headers) });
    return reply.code(204).send();
  });

  app.post(`${path}/:id/check`, checkRoute, async ({ params, headers }) => {
    const origin = getServiceOrigin(publicUrl, headers);
    const row = await getRecord(database, providerStore, params.id);
    const data = await checkProvider(deps, row, provider.toRedirectUri(origin, row.id));
    return { message: 'Identity provider checked', data };
  });
};

const describeProvider = (description: string, data: object = provider.examples.provider) =>
  describeResponse(provider.providerResponseSchema, {
    description,
    headers: { ETag: 'Version of the provider.' },
    examples: { provider: { message: `Identity provider ${provider.examples.provider.id}`, data } },
  });

const listRoute = {
  schema: {
    operationId: 'listIdentityProviders',
    tags,
    summary: 'List identity providers',
    description: 'Returns all identity providers, oldest first, without their secrets.',
    response: {
      200: describeResponse(provider.providerListSchema, 'At most 10 providers.', {
        providers: { message: 'Identity providers list', data: [provider.examples.provider] },
      }),
    },
  },
  config: read,
} as const;

const createRoute = {
  schema: {
    operationId: 'createIdentityProvider',
    tags,
    summary: 'Add an identity provider',
    description:
      'Lets people sign in with their account at an OpenID Connect provider, or at GitHub. At most 10. Register `redirect_uri` of the response at the provider, then check it.',
    body: { ...provider.createProviderSchema, examples: [provider.examples.newProvider] },
    response: {
      201: describeResponse(provider.providerResponseSchema, {
        description: 'The provider.',
        headers: { Location: 'URL of the provider.', ETag: 'Version of the provider.' },
        examples: { created: { message: 'Identity provider created', data: provider.examples.provider } },
      }),
    },
  },
  config: { ...write, idempotent: true, problems: ['too_many_identity_providers'] },
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
    body: { ...provider.updateProviderSchema, examples: [{ enabled: false }] },
    response: {
      200: describeProvider('After the change.', {
        ...provider.examples.provider,
        enabled: false,
        version: 2,
      }),
    },
  },
  config: { ...write, problems: ['identity_provider_not_found'] },
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
  config: { ...write, problems: ['identity_provider_not_found'] },
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
      200: describeResponse(provider.checkListSchema, 'One result for each step.', {
        checks: provider.examples.checks,
      }),
    },
  },
  config: found,
} as const;
