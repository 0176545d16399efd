/** Applications to which people sign in, for the administrator. */
import type { DatabaseDeps } from '../../database/database.ts';
import { ifMatch } from '../../lib/routes/preconditions.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { optionalBody } from '../../plugins/bodies/json-bodies.ts';
import { describeEmpty, describeResponse } from '../../plugins/openapi/describe-response.ts';
import { rotateCredentialSchema } from '../credentials/credential.ts';
import { DEFAULT_OVERLAP_SECONDS } from '../credentials/rules.ts';
import type { KeyRing } from '../people/tokens/signing-keys/key-ring.ts';
import { getRecord } from '../records/change-record.ts';
import { secretResponse, sendRecord } from '../records/responses.ts';
import { ifMatchHeader } from '../users/records/schemas.ts';
import * as application from './application.ts';
import {
  createApplication,
  deleteApplication,
  rotateApplicationSecret,
  updateApplication,
} from './change-application.ts';
import { applicationStore, listApplications } from './queries.ts';
import { type ApplicationChanges, checkAudiences } from './rules.ts';

const tags = ['Applications'];
const path = '/api/v1/applications';
const read = { access: 'admin', scope: 'applications:read' } as const;
const write = { access: 'admin', scope: 'applications:write', recentSignIn: 'always' } as const;
const params = application.applicationIdSchema;
const headers = { ETag: 'Version of the application.' };
const { examples, MAX_APPLICATIONS } = application;

interface ApplicationRouteDeps extends DatabaseDeps {
  readonly keyRing: KeyRing;
  readonly jwtAudiences: readonly string[];
}

export const applications: FeaturePlugin<ApplicationRouteDeps> = async (app, deps) => {
  const { database, clock } = deps;
  const toMessage = (row: application.ApplicationRow) => {
    const data = application.applicationView(row, clock());
    return { message: `Application ${row.id}`, data };
  };

  app.get(path, listApplicationsRoute, async () => {
    const now = clock();
    const rows = await listApplications(database);
    return { message: 'Applications list', data: rows.map((row) => application.applicationView(row, now)) };
  });

  app.get(`${path}/:id`, getApplicationRoute, async ({ params }, reply) =>
    sendRecord(reply, toMessage(await getRecord(database, applicationStore, params.id))),
  );

  app.patch(`${path}/:id`, updateApplicationRoute, async ({ params, body: changes, headers }, reply) => {
    const expected = { id: params.id, isExpected: ifMatch(headers) };
    await prepareSettings(deps, changes);
    return sendRecord(reply, toMessage(await updateApplication(deps, expected, changes)));
  });

  app.delete(`${path}/:id`, deleteApplicationRoute, async ({ params, headers }, reply) => {
    await deleteApplication(deps, { id: params.id, isExpected: ifMatch(headers) });
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
          const data = await createApplication(tx, body, clock());
          return secretResponse({ message: 'Application created', data }, `${path}/${data.id}`);
        },
      };
    }),
  );

  app.post(`${path}/:id/rotate-secret`, rotateApplicationSecretRoute, ({ params, body }, reply) =>
    reply.sendOnce(async () => ({
      store: async (tx) => {
        const { overlap: overlapSeconds = DEFAULT_OVERLAP_SECONDS } = body;
        const data = await rotateApplicationSecret(tx, { id: params.id, overlapSeconds }, clock());
        return secretResponse({ message: 'Application secret rotated', data });
      },
    })),
  );
};

const describeApplication = (description: string, data: object = examples.application) =>
  describeResponse(application.applicationResponseSchema, {
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
      200: describeResponse(application.applicationListSchema, `At most ${MAX_APPLICATIONS} applications.`, {
        applications: { message: 'Applications list', data: [examples.application] },
      }),
    },
  },
  config: read,
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
  config: { ...read, problems: ['application_not_found'] },
} as const;

const createApplicationRoute = {
  schema: {
    operationId: 'createApplication',
    tags,
    summary: 'Create an application',
    description: `A program to which people sign in with OpenID Connect. Its \`id\` is the \`client_id\`. At most ${MAX_APPLICATIONS}.`,
    body: { ...application.createApplicationSchema, examples: [examples.newApplication] },
    response: {
      201: describeResponse(application.newApplicationSchema, {
        description: 'The application and its secret, which cannot be read again.',
        headers: { ...headers, Location: 'URL of the application.' },
        examples: { created: { message: 'Application created', data: examples.created } },
      }),
    },
  },
  config: { ...write, idempotent: true, problems: ['application_name_taken', 'too_many_applications'] },
} as const;

const updateApplicationRoute = {
  schema: {
    operationId: 'updateApplication',
    tags,
    summary: 'Update an application',
    description:
      'Changes the given members only, and rejects any others. Tokens stay as they are, but `refresh: false` ends refresh tokens; codes for a removed redirect URI are exchanged for one more minute.',
    params,
    headers: { type: 'object', properties: ifMatchHeader, required: ['If-Match'] },
    body: { ...application.updateApplicationSchema, examples: [{ token_lifetime_days: 7 }] },
    response: {
      200: describeApplication('The application after the change.', {
        ...examples.application,
        token_lifetime_days: 7,
        version: 2,
      }),
    },
  },
  config: { ...write, problems: ['application_not_found', 'application_name_taken'] },
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
  config: { ...write, problems: ['application_not_found'] },
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
      200: describeResponse(application.newApplicationSchema, {
        description: 'The application and its new secret, which cannot be read again.',
        headers,
        examples: { rotated: { message: 'Application secret rotated', data: examples.rotated } },
      }),
    },
  },
  config: {
    ...write,
    idempotent: true,
    problems: ['application_not_found', 'application_without_secret'],
  },
  preValidation: optionalBody,
} as const;
