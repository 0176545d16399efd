/** Routes of stored forms. */
import type { DatabaseDeps } from '../../database/database.ts';
import { type PageStart, type Pagination, toPage } from '../../lib/routes/pagination.ts';
import { ifMatch, versionETag } from '../../lib/routes/preconditions.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { defineList, describeEmpty } from '../../plugins/openapi/describe-response.ts';
import { validateAllButBody } from '../../plugins/validation.ts';
import { Problem } from '../../problems/problem.ts';
import { ifMatchHeader } from '../users/records/schemas.ts';
import { markInexactNumbers } from './answers/values.ts';
import { createForm, deleteForm, replaceForm } from './change-form.ts';
import { getForm, parseDefinition } from './definitions/definition.ts';
import { readForm } from './definitions/read-form.ts';
import * as examples from './form-examples.ts';
import * as schemas from './form-responses.ts';
import { createdFormResponse, formView, publicFormView, sendForm, settingsView } from './form-responses.ts';
import { FIELD_MEMBERS, formBodySchema } from './form-schemas.ts';
import { getVersion, listForms } from './queries.ts';
import { countSubmissions } from './submissions/queries.ts';

export interface FormRouteDeps extends DatabaseDeps {
  readonly pagination: Pagination;
}

const tags = ['Forms'];
const WRITE = { access: 'admin', scope: 'forms:write' } as const;
/** Size of bodies with a definition, whose rules have messages of their own: 200 fields with options and help. */
const BODY_OPTIONS = { bodyLimit: 1_048_576, validatorCompiler: validateAllButBody } as const;
const DEFINITION_CONFIG = { ...WRITE, repeatedMembers: FIELD_MEMBERS, reviver: markInexactNumbers } as const;
const body = { ...formBodySchema, examples: [examples.newForm] } as const;
const headers = { type: 'object', required: ['If-Match'], properties: ifMatchHeader } as const;

const listRoute = {
  schema: {
    operationId: 'listForms',
    tags,
    summary: 'List forms',
    description: 'Returns the forms without their fields, newest first, in pages.',
    ...defineList({}, schemas.listedFormSchema, {
      description: 'A page of forms.',
      examples: { forms: examples.list },
    }),
  },
  config: { access: 'admin', scope: 'forms:read' },
} as const;

const createRoute = {
  ...BODY_OPTIONS,
  schema: {
    operationId: 'createForm',
    tags,
    summary: 'Create a form',
    description:
      'Stores a form as a draft, which nobody else sees until it is published. The error response has all failures with a JSON pointer to each. Two labels that differ in the case of their letters only are rejected with 409 (`duplicate_label`) if there is no other failure.',
    body,
    response: { 201: schemas.describeNewForm('The draft.', examples.created) },
  },
  config: { ...DEFINITION_CONFIG, idempotent: true, problems: ['duplicate_label'] },
} as const;

const getRoute = {
  schema: {
    operationId: 'getForm',
    tags,
    summary: 'Get a form',
    description:
      'Returns a form with the fields of its draft. Anonymous callers and users get the published version, and 404 before the first one is published.',
    params: schemas.formIdSchema,
    response: { 200: schemas.describeForm('The form.', examples.form) },
  },
  config: { access: 'optional', adminScope: 'forms:read', problems: ['form_not_found'] },
} as const;

const replaceRoute = {
  ...BODY_OPTIONS,
  schema: {
    operationId: 'replaceForm',
    tags,
    summary: 'Change a form',
    description:
      'Replaces the settings at once, and stores the title, the description and the fields as a new draft, unless they are unchanged. Requires `If-Match`. A field whose type differs from that in a published version is rejected with 409 (`field_type_changed`); fields may be removed.',
    params: schemas.formIdSchema,
    headers,
    body,
    response: { 200: schemas.describeForm('The form after the change.', examples.changed) },
  },
  config: { ...DEFINITION_CONFIG, problems: ['form_not_found', 'duplicate_label', 'field_type_changed'] },
} as const;

const deleteRoute = {
  schema: {
    operationId: 'deleteForm',
    tags,
    summary: 'Delete a form',
    description:
      'Deletes the form with all of its versions and submissions. It is absent from then on; the submissions are deleted in the background, also after a restart. Requires `If-Match`.',
    params: schemas.formIdSchema,
    headers,
    response: { 204: describeEmpty({ description: 'Deleted.' }) },
  },
  config: { ...WRITE, recentSignIn: 'always', problems: ['form_not_found'] },
} as const;

/** Forms and their drafts. */
export const forms: FeaturePlugin<FormRouteDeps> = async (app, deps) => {
  const { database, clock } = deps;
  app.get('/api/v1/forms', listRoute, async ({ query }, reply) => {
    // Ids are hexadecimal.
    const read = async ({ after, limit }: PageStart<string>) =>
      toPage(await listForms(database, after ?? 'g', limit + 1), limit, ({ id }) => id);
    const list = { query, path: '/api/v1/forms', scope: 'forms', read };
    const { rows, next_cursor } = await deps.pagination.readPage(reply, list);
    const data = await Promise.all(
      rows.map(async (row) => ({
        ...settingsView(row),
        submissions: await countSubmissions(database, row.id, schemas.MAX_COUNTED_OF_LIST),
      })),
    );
    return { message: 'Forms list', data, next_cursor };
  });

  app.post('/api/v1/forms', createRoute, (request, reply) =>
    reply.sendOnce(async () => {
      const given = readForm(request.body);
      return { store: async (tx) => createdFormResponse(await createForm(tx, given, clock())) };
    }),
  );

  await app.register(singleForms, deps);

  app.put('/api/v1/forms/:id', replaceRoute, async ({ params: { id }, headers, body }, reply) => {
    const given = readForm(body);
    return sendForm(reply, await replaceForm(deps, { id, isExpected: ifMatch(headers) }, given));
  });

  app.delete('/api/v1/forms/:id', deleteRoute, async ({ params: { id }, headers }, reply) => {
    await deleteForm(deps, { id, isExpected: ifMatch(headers) });
    return reply.code(204).send();
  });
};

const singleForms: FeaturePlugin<FormRouteDeps> = async (app, { database }) => {
  app.get('/api/v1/forms/:id', getRoute, async ({ params, caller }, reply) => {
    const form = await getForm(database, params.id);
    const { id, draft_version, published_version, revision } = form;
    const isAdmin = caller.kind === 'admin';
    const number = isAdmin ? draft_version : published_version;
    if (number === null) throw new Problem('form_not_found');
    const definition = parseDefinition(await getVersion(database, id, number));
    const submissions = isAdmin ? await countSubmissions(database, id, schemas.MAX_COUNTED) : undefined;
    const data = isAdmin ? { ...formView(form, definition), submissions } : publicFormView(form, definition);
    return reply.header('etag', versionETag(revision)).send({ message: `Form ${id}`, data });
  });
};
