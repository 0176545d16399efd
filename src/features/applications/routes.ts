/** Applications to which people sign in, for the administrator. */
import type { DatabaseDeps } from '../../database/database.ts';
import type { FeaturePlugin } from '../../lib/routes/feature-plugin.ts';
import type { Pagination } from '../../lib/routes/pagination.ts';
import { ifMatch } from '../../lib/routes/preconditions.ts';
import { optionalBody } from '../../plugins/json-bodies/json-bodies.ts';
import { defineList } from '../../plugins/openapi/define-list.ts';
import { describeEmpty, describeResponse } from '../../plugins/openapi/describe-response.ts';
import { Problem } from '../../problems/problem.ts';
import { DEFAULT_OVERLAP_SECONDS } from '../credentials/rules.ts';
import { rotateCredentialSchema } from '../credentials/schemas.ts';
import type { KeyRing } from '../tokens/signing-keys/key-ring.ts';
import { ifMatchHeader } from '../users/records/schemas.ts';
import { applicationView, newSecretResponse, sendApplication } from './application-responses.ts';
import { deleteApplication, updateApplication } from './change-application.ts';
import { createApplication, rotateApplicationSecret } from './create-application.ts';
import * as examples from './examples.ts';
import { findApplication, listApplications } from './queries.ts';
import { parseApplicationId } from './rules.ts';
import * as schemas from './schemas.ts';

const tags = ['Applications'];
const path = '/api/v1/applications';
const config = { access: 'admin', scope: 'applications:write' } as const;
const readConfig = { access: 'admin', scope: 'applications:read' } as const;
const headers = { ETag: 'Version of the application.' };

const listApplicationsRoute = {
  schema: {
    operationId: 'listApplications',
    tags,
    summary: 'List applications',
    description: 'Returns the applications, oldest first, without their secrets.',
    ...defineList(
      {},
      { $ref: 'Application' },
      { description: 'A page of applications.', examples: { applications: examples.list } },
    ),
  },
  config: { ...readConfig, problems: ['invalid_limit', 'invalid_cursor'] },
} as const;

const getApplicationRoute = {
  schema: {
    operationId: 'getApplication',
    tags,
    summary: 'Get an application',
    description: 'Returns the application without its secret.',
    params: schemas.applicationIdSchema,
    response: {
      200: describeResponse(schemas.applicationResponseSchema, {
        description: 'The application.',
        headers,
        examples: { application: examples.response },
      }),
    },
  },
  config: { ...readConfig, problems: ['application_not_found'] },
} as const;

const createApplicationRoute = {
  schema: {
    operationId: 'createApplication',
    tags,
    summary: 'Create an application',
    description:
      'A program to which people sign in with OpenID Connect. Its `id` is the `client_id`. At most 100.',
    body: { ...schemas.createApplicationSchema, examples: [examples.newApplication] },
    response: {
      201: describeResponse(schemas.newApplicationSchema, {
        description: 'The application and its secret, which cannot be read again.',
        headers: { ...headers, Location: 'URL of the application.' },
        examples: { created: examples.created },
      }),
    },
  },
  config: { ...config, idempotent: true, problems: ['application_name_taken', 'too_many_applications'] },
} as const;

const updateApplicationRoute = {
  schema: {
    operationId: 'updateApplication',
    tags,
    summary: 'Update an application',
    description:
      'Changes the given members only, and rejects any others. Tokens that it has stay as they are, and codes for a redirect URI that was removed are exchanged for one more minute.',
    params: schemas.applicationIdSchema,
    headers: { type: 'object', properties: ifMatchHeader, required: ['If-Match'] },
    body: { ...schemas.updateApplicationSchema, examples: [{ token_lifetime_days: 7 }] },
    response: {
      200: describeResponse(schemas.applicationResponseSchema, {
        description: 'The application after the change.',
        headers: { ETag: 'Version of the application after the change.' },
        examples: { changed: examples.updated },
      }),
    },
  },
  config: {
    ...config,
    problems: [
      'application_not_found',
      'application_name_taken',
      'precondition_failed',
      'precondition_required',
    ],
  },
} as const;

const deleteApplicationRoute = {
  schema: {
    operationId: 'deleteApplication',
    tags,
    summary: 'Delete an application',
    description:
      'Deletes the application and revokes its tokens, on every node. With `If-Match`, only if it still has that version.',
    params: schemas.applicationIdSchema,
    headers: { type: 'object', properties: ifMatchHeader },
    response: { 204: describeEmpty({ description: 'Deleted.' }) },
  },
  config: { ...config, problems: ['application_not_found', 'precondition_failed'] },
} as const;

const rotateApplicationSecretRoute = {
  schema: {
    operationId: 'rotateApplicationSecret',
    tags,
    summary: 'Rotate the secret of an application',
    description:
      'Replaces the secret. The replaced one is accepted for the `overlap`. A further rotation in this time ends the validity of the oldest of the three secrets at once.',
    params: schemas.applicationIdSchema,
    body: { ...rotateCredentialSchema, examples: [{ overlap: 3_600 }] },
    response: {
      200: describeResponse(schemas.newApplicationSchema, {
        description: 'The application and its new secret, which cannot be read again.',
        headers,
        examples: { rotated: examples.rotated },
      }),
    },
  },
  config: { ...config, idempotent: true, problems: ['application_not_found', 'application_without_secret'] },
  preValidation: optionalBody,
} as const;

export interface ApplicationRouteDeps extends DatabaseDeps {
  readonly pagination: Pagination;
  readonly keyRing: KeyRing;
}

export const applications: FeaturePlugin<ApplicationRouteDeps> = async (app, deps) => {
  const { database, clock, pagination } = deps;
  await app.register(applicationSecrets, deps);

  app.get(path, listApplicationsRoute, async ({ query }, reply) => {
    const read = async ({ after, limit }: { readonly after: string | null; readonly limit: number }) => {
      const rows = await listApplications(database, { after: after ?? '', limit: limit + 1 });
      const page = rows.slice(0, limit);
      return { rows: page, next: rows.length > limit ? page.at(-1)!.id : null };
    };
    const page = { query, path, scope: 'applications', read };
    const { rows, next_cursor } = await pagination.readPage(reply, page);
    const data = rows.map((row) => applicationView(row, clock()));
    return { message: 'Applications list', data, next_cursor };
  });

  app.get(`${path}/:id`, getApplicationRoute, async ({ params }, reply) => {
    const application = await findApplication(database, parseApplicationId(params.id));
    if (application === undefined) throw new Problem('application_not_found');
    return sendApplication(reply, application, clock());
  });

  app.patch(`${path}/:id`, updateApplicationRoute, async ({ params, body, headers }, reply) => {
    const update = { id: parseApplicationId(params.id), changes: body, isExpected: ifMatch(headers) };
    return sendApplication(reply, await updateApplication(deps, update), clock());
  });

  app.delete(`${path}/:id`, deleteApplicationRoute, async ({ params, headers }, reply) => {
    await deleteApplication(deps, parseApplicationId(params.id), ifMatch(headers));
    return reply.code(204).send();
  });
};

/** Operations that return the secret of an application. */
const applicationSecrets: FeaturePlugin<ApplicationRouteDeps> = async (app, deps) => {
  app.post(path, createApplicationRoute, ({ body }, reply) =>
    reply.sendOnce(async () => {
      // The key is published before an ID token is signed.
      await deps.keyRing.getSigner(body.id_token_alg ?? 'RS256');
      return {
        store: async (tx) => {
          const created = await createApplication(deps, tx, body);
          const message = 'Application created';
          return newSecretResponse(created, { status: 201, message, now: deps.clock() });
        },
      };
    }),
  );

  app.post(`${path}/:id/rotate-secret`, rotateApplicationSecretRoute, ({ params, body }, reply) =>
    reply.sendOnce(async () => ({
      store: async (tx) => {
        const { overlap: overlapSeconds = DEFAULT_OVERLAP_SECONDS } = body;
        const rotated = await rotateApplicationSecret(deps, tx, {
          id: parseApplicationId(params.id),
          overlapSeconds,
        });
        const message = 'Application secret rotated';
        return newSecretResponse(rotated, { status: 200, message, now: deps.clock() });
      },
    })),
  );
};
