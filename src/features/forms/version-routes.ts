/** Routes of the versions of forms and of the JSON Schemas of their answers, and routes that publish, close, reopen and duplicate forms. */
import type { FastifyReply } from 'fastify';
import type { Reader } from '../../database/database.ts';
import { ifMatch } from '../../lib/routes/preconditions.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { describeContent, describeResponse } from '../../plugins/openapi/describe-response.ts';
import { Problem } from '../../problems/problem.ts';
import { ifMatchHeader } from '../users/records/schemas.ts';
import { formatAnswersSchema, type SchemaOptions } from './answers/answers-schema.ts';
import { changeState, duplicateForm } from './change-form.ts';
import { getForm, parseDefinition } from './definitions/definition.ts';
import * as examples from './form-examples.ts';
import * as schemas from './form-responses.ts';
import { createdFormResponse, sendForm, versionView } from './form-responses.ts';
import type { FormRouteDeps } from './form-routes.ts';
import { findVersion, getVersion, listVersions, type VersionRow } from './queries.ts';

const tags = ['Forms'];
const MEDIA_TYPE = 'application/schema+json';
const schemaResponse = describeContent(
  MEDIA_TYPE,
  { type: 'object' },
  {
    description: 'A JSON Schema of the member `answers`, with the fields in their order.',
  },
);
const querystring = {
  type: 'object',
  properties: {
    draft: { type: 'string', enum: ['7'], description: 'Names draft 7 in `$schema`; all else is the same.' },
    patterns: {
      type: 'string',
      enum: ['no'],
      description: 'Leaves patterns out: the schema accepts more than the form.',
    },
  },
} as const;
const READ = { access: 'admin', scope: 'forms:read' } as const;
const VERSION_CONFIG = { ...READ, problems: ['form_not_found', 'form_version_not_found'] } as const;

const listRoute = {
  schema: {
    operationId: 'listFormVersions',
    tags,
    summary: 'List versions of a form',
    description: 'Returns the versions without their fields, newest first.',
    params: schemas.formIdSchema,
    response: {
      200: describeResponse(schemas.versionListSchema, 'All versions.', { versions: examples.versions }),
    },
  },
  config: { ...READ, problems: ['form_not_found'] },
} as const;

const getRoute = {
  schema: {
    operationId: 'getFormVersion',
    tags,
    summary: 'Get a version of a form',
    description: 'Returns a version, which never changes.',
    params: schemas.versionIdSchema,
    response: {
      200: describeResponse(schemas.versionResponseSchema, 'The version.', { version: examples.oneVersion }),
    },
  },
  config: VERSION_CONFIG,
} as const;

const versionSchemaRoute = {
  schema: {
    operationId: 'getFormVersionSchema',
    tags,
    summary: 'Get the JSON Schema of a version of a form',
    description: 'Returns a JSON Schema that accepts exactly the answers that the version accepts.',
    params: schemas.versionIdSchema,
    querystring,
    response: { 200: schemaResponse },
  },
  config: { ...VERSION_CONFIG, problems: [...VERSION_CONFIG.problems, 'invalid_filter'] },
} as const;

const schemaRoute = {
  schema: {
    operationId: 'getFormSchema',
    tags,
    summary: 'Get the JSON Schema of a form',
    description:
      'Returns a JSON Schema that accepts exactly the answers that the published version accepts; for administrators, that of the draft before the first version is published. Integers whose digits a double cannot hold are rejected, although no schema can tell.',
    params: schemas.formIdSchema,
    querystring,
    response: { 200: schemaResponse },
  },
  config: { access: 'optional', adminScope: 'forms:read', problems: ['form_not_found', 'invalid_filter'] },
} as const;

export const formVersions: FeaturePlugin<FormRouteDeps> = async (app, { database }) => {
  app.get('/api/v1/forms/:id/versions', listRoute, async ({ params }) => {
    const { id } = await getForm(database, params.id);
    return { message: 'Versions list', data: (await listVersions(database, id)).map(versionView) };
  });

  app.get('/api/v1/forms/:id/versions/:number', getRoute, async ({ params }) => {
    const version = await findOne(database, params);
    const data = { ...versionView(version), ...parseDefinition(version) };
    return { message: `Version ${version.number}`, data };
  });

  app.get(
    '/api/v1/forms/:id/versions/:number/schema.json',
    versionSchemaRoute,
    async ({ params, query }, reply) => sendSchema(reply, await findOne(database, params), query),
  );

  app.get('/api/v1/forms/:id/schema.json', schemaRoute, async ({ params, query, caller }, reply) => {
    const form = await getForm(database, params.id);
    const number = form.published_version ?? (caller.kind === 'admin' ? form.draft_version : null);
    if (number === null) throw new Problem('form_not_found');
    return sendSchema(reply, await getVersion(database, form.id, number), query);
  });
};

/** @throws Problem form_not_found, form_version_not_found */
async function findOne(reader: Reader, given: { id: string; number: string }): Promise<VersionRow> {
  const { id } = await getForm(reader, given.id);
  const isNumber = /^[1-9]\d{0,8}$/.test(given.number);
  const version = isNumber ? await findVersion(reader, id, Number(given.number)) : undefined;
  if (version === undefined) throw new Problem('form_version_not_found');
  return version;
}

function sendSchema(reply: FastifyReply, version: VersionRow, options: SchemaOptions): FastifyReply {
  return reply.type(MEDIA_TYPE).send(formatAnswersSchema(parseDefinition(version), options));
}

const params = schemas.formIdSchema;
const WRITE = { access: 'admin', scope: 'forms:write' } as const;

const CHANGES = {
  publish: {
    description: 'Makes the draft the version that is answered, and opens the form, also a closed one.',
    example: examples.changed,
    problems: ['form_not_found'],
  },
  close: {
    description: 'The form accepts no submissions then.',
    example: examples.closed,
    problems: ['form_not_found', 'form_state_conflict'],
  },
  reopen: {
    description: 'Opens a closed form with the version that was published last.',
    example: examples.changed,
    problems: ['form_not_found', 'form_state_conflict'],
  },
} as const;

/** Returns the route of a change of the state. */
function defineChange(name: keyof typeof CHANGES) {
  const { description, example, problems } = CHANGES[name];
  return {
    schema: {
      operationId: `${name}Form`,
      tags,
      summary: `${name[0]!.toUpperCase()}${name.slice(1)} a form`,
      description: `${description} Repeated, it changes nothing. With \`If-Match\`, only at that revision.`,
      params,
      headers: { type: 'object', properties: ifMatchHeader },
      response: { 200: schemas.describeForm('The form after the change.', example) },
    },
    config: { ...WRITE, problems },
  } as const;
}

const duplicateRoute = {
  schema: {
    operationId: 'duplicateForm',
    tags,
    summary: 'Duplicate a form',
    description: 'Creates a form with the draft and the settings of another one, without its submissions.',
    params,
    response: { 201: schemas.describeNewForm('The new form, a draft.', examples.created) },
  },
  config: { ...WRITE, idempotent: true, problems: ['form_not_found'] },
} as const;

export const formStates: FeaturePlugin<FormRouteDeps> = async (app, deps) => {
  for (const name of Object.keys(CHANGES) as (keyof typeof CHANGES)[]) {
    app.post(`/api/v1/forms/:id/${name}`, defineChange(name), async ({ params, headers }, reply) => {
      const change = { id: params.id, isExpected: ifMatch(headers) };
      return sendForm(reply, await changeState(deps, change, name));
    });
  }

  app.post('/api/v1/forms/:id/duplicate', duplicateRoute, ({ params }, reply) =>
    reply.sendOnce(async () => ({
      store: async (tx) => createdFormResponse(await duplicateForm(tx, params.id, deps.clock())),
    })),
  );
};
