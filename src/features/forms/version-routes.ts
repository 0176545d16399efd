/** Routes of the versions of forms, and of the JSON Schemas of their answers. */
import type { FastifyReply } from 'fastify';
import type { FeaturePlugin } from '../../lib/routes/feature-plugin.ts';
import { describeContent, describeResponse } from '../../plugins/openapi/describe-response.ts';
import { Problem } from '../../problems/problem.ts';
import { createAnswersSchema } from './answers/answers-schema.ts';
import * as examples from './form-examples.ts';
import { listedVersionView, versionView } from './form-responses.ts';
import { parseDefinition, parseVersionNumber } from './form-rules.ts';
import { getForm } from './get-form.ts';
import type { FormRouteDeps } from './list-route.ts';
import { findVersion, listVersions, type VersionRow } from './queries.ts';
import * as schemas from './response-schemas.ts';

const tags = ['Forms'];
const MEDIA_TYPE = 'application/schema+json';

const schemaResponse = {
  200: describeContent(
    MEDIA_TYPE,
    { type: 'object' },
    {
      description:
        'A JSON Schema (2020-12) of the member `answers`, to be evaluated with the assertion of formats.',
    },
  ),
} as const;

const listVersionsOperation = {
  operationId: 'listFormVersions',
  tags,
  summary: 'List versions of a form',
  description: 'Returns the versions without their fields, newest first.',
  params: schemas.formIdSchema,
  response: {
    200: describeResponse(schemas.versionListSchema, {
      description: 'All versions.',
      examples: { versions: examples.versions },
    }),
  },
} as const;

const getVersionOperation = {
  operationId: 'getFormVersion',
  tags,
  summary: 'Get a version of a form',
  description: 'Returns a version, which never changes.',
  params: schemas.versionIdSchema,
  response: {
    200: describeResponse(schemas.versionResponseSchema, {
      description: 'The version.',
      examples: { version: examples.oneVersion },
    }),
  },
} as const;

const getSchemaOperation = {
  operationId: 'getFormSchema',
  tags,
  summary: 'Get the JSON Schema of a form',
  description:
    'Returns a JSON Schema that accepts exactly the answers that the published version accepts; for administrators, that of the draft before the first version is published. Integers whose digits a double cannot hold are rejected, although no schema can tell.',
  params: schemas.formIdSchema,
  response: schemaResponse,
} as const;

const getVersionSchemaOperation = {
  operationId: 'getFormVersionSchema',
  tags,
  summary: 'Get the JSON Schema of a version of a form',
  description: 'Returns a JSON Schema that accepts exactly the answers that the version accepts.',
  params: schemas.versionIdSchema,
  response: schemaResponse,
} as const;

const READ = { access: 'admin', scope: 'forms:read' } as const;

export const formVersions: FeaturePlugin<FormRouteDeps> = async (app, deps) => {
  const { database } = deps;
  app.get(
    '/api/v1/forms/:id/versions',
    {
      schema: listVersionsOperation,
      config: { ...READ, problems: ['form_not_found'] },
    },
    async ({ params }) => {
      const { id } = await getForm(database, params.id);
      return { message: 'Versions list', data: (await listVersions(database, id)).map(listedVersionView) };
    },
  );
  await app.register(singleVersions, deps);
  await app.register(publicSchemas, deps);
};

const singleVersions: FeaturePlugin<FormRouteDeps> = async (app, { database }) => {
  const config = { ...READ, problems: ['form_not_found', 'form_version_not_found'] } as const;
  const findOne = async ({ id, number }: { id: string; number: string }) => {
    const form = await getForm(database, id);
    const version = await findVersion(database, form.id, parseVersionNumber(number));
    if (version === undefined) throw new Problem('form_version_not_found');
    return version;
  };
  app.get(
    '/api/v1/forms/:id/versions/:number',
    { schema: getVersionOperation, config },
    async ({ params }) => {
      const version = await findOne(params);
      return { message: `Version ${version.number}`, data: versionView(version) };
    },
  );
  app.get(
    '/api/v1/forms/:id/versions/:number/schema.json',
    { schema: getVersionSchemaOperation, config },
    async ({ params }, reply) => sendSchema(reply, await findOne(params)),
  );
};

const publicSchemas: FeaturePlugin<FormRouteDeps> = async (app, { database }) => {
  app.get(
    '/api/v1/forms/:id/schema.json',
    {
      schema: getSchemaOperation,
      config: { access: 'optional', adminScope: 'forms:read', problems: ['form_not_found'] },
    },
    async ({ params, caller }, reply) => {
      const form = await getForm(database, params.id);
      const number = form.published_version ?? (caller.kind === 'admin' ? form.draft_version : null);
      if (number === null) throw new Problem('form_not_found');
      return sendSchema(reply, (await findVersion(database, form.id, number))!);
    },
  );
};

function sendSchema(reply: FastifyReply, version: VersionRow): FastifyReply {
  return reply.type(MEDIA_TYPE).send(JSON.stringify(createAnswersSchema(parseDefinition(version))));
}
