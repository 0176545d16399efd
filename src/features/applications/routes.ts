/** Applications to which people sign in, for the administrator. */
import type { FastifyReply } from 'fastify';
import type { DatabaseDeps } from '../../database/database.ts';
import { ifMatch, versionETag } from '../../lib/routes/preconditions.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { optionalBody } from '../../plugins/bodies/json-bodies.ts';
import { describeEmpty, describeResponse } from '../../plugins/openapi/describe-response.ts';
import { DEFAULT_OVERLAP_SECONDS } from '../credentials/rules.ts';
import { rotateCredentialSchema } from '../credentials/schemas.ts';
import type { KeyRing } from '../people/tokens/signing-keys/key-ring.ts';
import { ifMatchHeader } from '../users/records/schemas.ts';
import { applicationView, newSecretResponse } from './application-responses.ts';
import { deleteApplication, updateApplication } from './change-application.ts';
import { createApplication, MAX_APPLICATIONS, rotateApplicationSecret } from './create-application.ts';
import * as examples from './examples.ts';
import { type ApplicationRow, findApplication, listApplications } from './queries.ts';
import { type ApplicationChanges, checkAudiences, requireApplication } from './rules.ts';
import * as schemas from './schemas.ts';

const tags = ['Applications'];
const path = '/api/v1/applications';
const config = { access: 'admin', scope: 'applications:write', recentSignIn: 'always' } as const;
const readConfig = { access: 'admin', scope: 'applications:read' } as const;
const params = schemas.applicationIdSchema;
const headers = { ETag: 'Version of the application.' };
const describeApplication = (description: string, data: object = examples.application) =>
  describeResponse(schemas.applicationResponseSchema, {
    description,
    headers,
    examples: { application: { message: `Application ${examples.application.id}`, data } },
  });

const listApplicationsRoute = {
  schema: {
    operationId: 'listApplications',
    tags,
    summary: 'List applications',
    description: 'Returns all applications, oldest first, without their secrets.',
    response: {
      200: describeResponse(schemas.applicationListSchema, `At most ${MAX_APPLICATIONS} applications.`, {
        applications: { message: 'Applications list', data: [examples.application] },
      }),
    },
  },
  config: readConfig,
} as const;

const getApplicationRoute = {
  schema: {
    operationId: 'getApplication',
    tags,
    summary: 'Get an application',
    description: 'Returns the application without its secret.',
    params,
    response: { 200: describeApplication('The application.') },
  },
  config: { ...readConfig, problems: ['application_not_found'] },
} as const;

const createApplicationRoute = {
  schema: {
    operationId: 'createApplication',
    tags,
    summary: 'Create an application',
    description: `A program to which people sign in with OpenID Connect. Its \`id\` is the \`client_id\`. At most ${MAX_APPLICATIONS}.`,
    body: { ...schemas.createApplicationSchema, examples: [examples.newApplication] },
    response: {
      201: describeResponse(schemas.newApplicationSchema, {
        description: 'The application and its secret, which cannot be read again.',
        headers: { ...headers, Location: 'URL of the application.' },
        examples: { created: { message: 'Application created', data: examples.created } },
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
    params,
    headers: { type: 'object', properties: ifMatchHeader, required: ['If-Match'] },
    body: { ...schemas.updateApplicationSchema, examples: [{ token_lifetime_days: 7 }] },
    response: {
      200: describeApplication('The application after the change.', {
        ...examples.application,
        token_lifetime_days: 7,
        version: 2,
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
      'Deletes the application, which ends its tokens at once, on every node. With `If-Match`, only if it still has that version.',
    params,
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
    params,
    body: { ...rotateCredentialSchema, examples: [{ overlap: 3_600 }] },
    response: {
      200: describeResponse(schemas.newApplicationSchema, {
        description: 'The application and its new secret, which cannot be read again.',
        headers,
        examples: { rotated: { message: 'Application secret rotated', data: examples.rotated } },
      }),
    },
  },
  config: {
    ...config,
    idempotent: true,
    problems: ['application_not_found', 'application_without_secret'],
  },
  preValidation: optionalBody,
} as const;

interface ApplicationRouteDeps extends DatabaseDeps {
  readonly keyRing: KeyRing;
  readonly jwtAudiences: readonly string[];
}

export const applications: FeaturePlugin<ApplicationRouteDeps> = async (app, deps) => {
  const { database, clock } = deps;
  const send = (reply: FastifyReply, application: ApplicationRow) => {
    const body = { message: `Application ${application.id}`, data: applicationView(application, clock()) };
    return reply.header('etag', versionETag(application.version)).send(body);
  };

  app.get(path, listApplicationsRoute, async () => {
    const data = (await listApplications(database)).map((row) => applicationView(row, clock()));
    return { message: 'Applications list', data };
  });

  app.get(`${path}/:id`, getApplicationRoute, async ({ params }, reply) =>
    send(reply, requireApplication(await findApplication(database, params.id))),
  );

  app.patch(`${path}/:id`, updateApplicationRoute, async ({ params, body: changes, headers }, reply) => {
    const update = { id: params.id, changes, isExpected: ifMatch(headers) };
    await prepareSettings(deps, changes);
    return send(reply, await updateApplication(deps, update));
  });

  app.delete(`${path}/:id`, deleteApplicationRoute, async ({ params, headers }, reply) => {
    await deleteApplication(deps, params.id, ifMatch(headers));
    return reply.code(204).send();
  });

  await app.register(applicationSecrets, deps);
};

/**
 * Creates the key of the algorithm, if there is none, before an ID token is signed: clients keep sets of keys.
 * @throws Problem validation_failed for audiences that are not configured
 */
async function prepareSettings({ keyRing, jwtAudiences }: ApplicationRouteDeps, changes: ApplicationChanges) {
  checkAudiences(changes, jwtAudiences);
  if (changes.id_token_alg !== undefined) await keyRing.getSigner(changes.id_token_alg);
}

/** Operations that return the secret of an application. */
const applicationSecrets: FeaturePlugin<ApplicationRouteDeps> = async (app, deps) => {
  const { clock } = deps;
  app.post(path, createApplicationRoute, ({ body }, reply) =>
    reply.sendOnce(async () => {
      await prepareSettings(deps, { id_token_alg: 'RS256', ...body });
      return {
        store: async (tx) => {
          const now = clock();
          const created = await createApplication(tx, body, now);
          const { headers, ...response } = newSecretResponse(created, 'Application created', now);
          const location = `${path}/${created.application.id}`;
          return { ...response, status: 201, headers: { ...headers, location } };
        },
      };
    }),
  );

  app.post(`${path}/:id/rotate-secret`, rotateApplicationSecretRoute, ({ params, body }, reply) =>
    reply.sendOnce(async () => ({
      store: async (tx) => {
        const { overlap: overlapSeconds = DEFAULT_OVERLAP_SECONDS } = body;
        const now = clock();
        const rotation = { id: params.id, overlapSeconds };
        const rotated = await rotateApplicationSecret(tx, rotation, now);
        return newSecretResponse(rotated, 'Application secret rotated', now);
      },
    })),
  );
};
