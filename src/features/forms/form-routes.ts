/** Routes of stored forms. */
import type { Database } from '../../database/database.ts';
import type { FeaturePlugin } from '../../lib/routes/feature-plugin.ts';
import { ifMatch, versionETag } from '../../lib/routes/preconditions.ts';
import { describeEmpty } from '../../plugins/openapi/describe-response.ts';
import { validateAllButBody } from '../../plugins/validation/validation.ts';
import { Problem } from '../../problems/problem.ts';
import { ifMatchHeader } from '../users/records/schemas.ts';
import { replaceForm } from './change-form.ts';
import { createForm } from './create-form.ts';
import { FIELD_MEMBERS } from './definitions/definition.ts';
import { readForm } from './definitions/read-form.ts';
import { deleteForm } from './delete-form.ts';
import * as examples from './form-examples.ts';
import { createdFormResponse, formView, publicFormView } from './form-responses.ts';
import { parseDefinition, parseFormId } from './form-rules.ts';
import { formBodySchema } from './form-schemas.ts';
import { getForm } from './get-form.ts';
import { type FormRouteDeps, formList } from './list-route.ts';
import { type FormRow, findVersion } from './queries.ts';
import * as schemas from './response-schemas.ts';
import { countSubmissions } from './submissions/queries.ts';

const tags = ['Forms'];
/** 200 fields with options and help. */
const MAX_FORM_BYTES = 1_048_576;

/** Of bodies with the definition of a form, whose rules have messages of their own. */
const DEFINED = { bodyLimit: MAX_FORM_BYTES, validatorCompiler: validateAllButBody } as const;
const REPEATED = { repeatedMembers: FIELD_MEMBERS } as const;

const createFormOperation = {
  operationId: 'createForm',
  tags,
  summary: 'Create a form',
  description:
    'Stores a form as a draft, which nobody else sees until it is published. The error response has all failures with a JSON pointer to each. Two labels that differ in the case of their letters only are rejected with 409 (`duplicate_label`).',
  body: { ...formBodySchema, examples: [examples.newForm] },
  response: {
    201: schemas.describeNewForm('The draft.', examples.created),
  },
} as const;

const getFormOperation = {
  operationId: 'getForm',
  tags,
  summary: 'Get a form',
  description:
    'Returns a form with the fields of its draft. Callers without the scope `forms:read` get the published version, and 404 before the first one is published.',
  params: schemas.formIdSchema,
  response: {
    200: schemas.describeForm('The form.', examples.form),
  },
} as const;

const replaceFormOperation = {
  operationId: 'replaceForm',
  tags,
  summary: 'Change a form',
  description:
    'Replaces the settings at once, and stores the title, the description and the fields as a new draft, unless they are unchanged. Requires `If-Match`. A field whose type differs from that in a published version is rejected with 409 (`field_type_changed`); fields may be removed.',
  params: schemas.formIdSchema,
  headers: { type: 'object', required: ['If-Match'], properties: ifMatchHeader },
  body: { ...formBodySchema, examples: [examples.newForm] },
  response: {
    200: schemas.describeForm('The form after the change.', examples.changed),
  },
} as const;

const deleteFormOperation = {
  operationId: 'deleteForm',
  tags,
  summary: 'Delete a form',
  description:
    'Deletes the form with all of its versions and submissions. It is absent from then on; the submissions are deleted in the background, also after a restart. Requires `If-Match`.',
  params: schemas.formIdSchema,
  headers: { type: 'object', required: ['If-Match'], properties: ifMatchHeader },
  response: { 204: describeEmpty({ description: 'Deleted.' }) },
} as const;

/** Forms and their drafts. */
export const forms: FeaturePlugin<FormRouteDeps> = async (app, deps) => {
  await app.register(formList, deps);
  app.get(
    '/api/v1/forms/:id',
    {
      schema: getFormOperation,
      config: { access: 'optional', adminScope: 'forms:read', problems: ['form_not_found'] },
    },
    async ({ params, caller }, reply) => {
      const form = await getForm(deps.database, params.id);
      const data = await readFormView(deps.database, form, caller.kind === 'admin');
      return reply.header('etag', versionETag(form.revision)).send({ message: `Form ${form.id}`, data });
    },
  );
  await app.register(newForms, deps);
  await app.register(formChanges, deps);
};

/** @throws Problem form_not_found for a form that was never published, unless it is for an administrator */
async function readFormView(database: Database, form: FormRow, isAdmin: boolean) {
  const { id, draft_version, published_version } = form;
  const number = isAdmin ? draft_version : published_version;
  if (number === null) throw new Problem('form_not_found');
  const definition = parseDefinition((await findVersion(database, id, number))!);
  if (!isAdmin) return publicFormView(form, definition);
  const submissions = await countSubmissions(database, id, schemas.MAX_COUNTED);
  return { ...formView(form, definition), submissions };
}

const newForms: FeaturePlugin<FormRouteDeps> = async (app, deps) => {
  app.post(
    '/api/v1/forms',
    {
      ...DEFINED,
      schema: createFormOperation,
      config: {
        ...{ access: 'admin', scope: 'forms:write', idempotent: true, ...REPEATED },
        problems: ['duplicate_label'],
      },
    },
    ({ body }, reply) =>
      reply.sendOnce(async () => {
        const given = readForm(body);
        return {
          store: async (tx) =>
            createdFormResponse(await createForm(tx, given, deps.clock()), given.definition),
        };
      }),
  );
};

const formChanges: FeaturePlugin<FormRouteDeps> = async (app, deps) => {
  app.put(
    '/api/v1/forms/:id',
    {
      ...DEFINED,
      schema: replaceFormOperation,
      config: {
        ...{ access: 'admin', scope: 'forms:write', ...REPEATED },
        problems: [
          ...(['form_not_found', 'duplicate_label', 'field_type_changed'] as const),
          ...(['precondition_failed', 'precondition_required'] as const),
        ],
      },
    },
    async ({ params, headers, body }, reply) => {
      const given = readForm(body);
      const change = { id: parseFormId(params.id), isExpected: ifMatch(headers), given };
      const form = await replaceForm(deps, change);
      const response = { message: `Form ${form.id}`, data: formView(form, given.definition) };
      return reply.header('etag', versionETag(form.revision)).send(response);
    },
  );

  app.delete(
    '/api/v1/forms/:id',
    {
      schema: deleteFormOperation,
      config: {
        ...{ access: 'admin', scope: 'forms:write' },
        problems: ['form_not_found', 'precondition_failed', 'precondition_required'],
      },
    },
    async ({ params, headers }, reply) => {
      await deleteForm(deps, { id: parseFormId(params.id), isExpected: ifMatch(headers) });
      return reply.code(204).send();
    },
  );
};
