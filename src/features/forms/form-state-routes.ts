/** Routes that publish, close, reopen and duplicate forms. */
import type { FastifyReply } from 'fastify';
import type { Database } from '../../database/database.ts';
import type { FeaturePlugin } from '../../lib/routes/feature-plugin.ts';
import { ifMatch, versionETag } from '../../lib/routes/preconditions.ts';
import { ifMatchHeader } from '../users/records/schemas.ts';
import { publishForm, setFormState } from './change-form.ts';
import { duplicateForm } from './create-form.ts';
import * as examples from './form-examples.ts';
import { createdFormResponse, formView } from './form-responses.ts';
import { parseDefinition, parseFormId } from './form-rules.ts';
import type { FormRouteDeps } from './list-route.ts';
import { type FormRow, findVersion } from './queries.ts';
import * as schemas from './response-schemas.ts';

const tags = ['Forms'];

/** Returns the operation of a change of the state. */
function defineChange<const Id extends string>(operationId: Id, summary: string, described: string) {
  return {
    operationId,
    tags,
    summary,
    description: `${described} Repeated, it changes nothing. With \`If-Match\`, only at that revision.`,
    params: schemas.formIdSchema,
    headers: { type: 'object', properties: ifMatchHeader },
    response: {
      200: schemas.describeForm(
        'The form after the change.',
        operationId === 'closeForm' ? examples.closed : examples.changed,
      ),
    },
  } as const;
}

const publishOperation = defineChange(
  'publishForm',
  'Publish a form',
  'Makes the draft the version that is answered, and opens the form, also a closed one.',
);
const closeOperation = defineChange('closeForm', 'Close a form', 'The form accepts no submissions then.');
const reopenOperation = defineChange(
  'reopenForm',
  'Reopen a form',
  'Opens a closed form with the version that was published last.',
);

const duplicateOperation = {
  operationId: 'duplicateForm',
  tags,
  summary: 'Duplicate a form',
  description: 'Creates a form with the draft and the settings of another one, without its submissions.',
  params: schemas.formIdSchema,
  response: {
    201: schemas.describeNewForm('The new form, a draft.', examples.created),
  },
} as const;

const STATE_CHANGES = [
  ['close', closeOperation, 'closed'],
  ['reopen', reopenOperation, 'published'],
] as const;

const CHANGE = {
  access: 'admin',
  scope: 'forms:write',
  problems: ['form_not_found', 'form_state_conflict', 'precondition_failed'],
} as const;

export const formStates: FeaturePlugin<FormRouteDeps> = async (app, deps) => {
  app.post(
    '/api/v1/forms/:id/publish',
    {
      schema: publishOperation,
      config: { ...CHANGE, problems: ['form_not_found', 'precondition_failed'] },
    },
    async ({ params, headers }, reply) => {
      const change = { id: parseFormId(params.id), isExpected: ifMatch(headers) };
      return sendForm(reply, deps.database, await publishForm(deps, change));
    },
  );
  for (const [name, schema, state] of STATE_CHANGES) {
    app.post(`/api/v1/forms/:id/${name}`, { schema, config: CHANGE }, async ({ params, headers }, reply) => {
      const change = { id: parseFormId(params.id), isExpected: ifMatch(headers), state };
      return sendForm(reply, deps.database, await setFormState(deps, change));
    });
  }
  await app.register(duplicates, deps);
};

async function sendForm(reply: FastifyReply, database: Database, form: FormRow): Promise<FastifyReply> {
  const draft = parseDefinition((await findVersion(database, form.id, form.draft_version))!);
  const body = { message: `Form ${form.id}`, data: formView(form, draft) };
  return reply.header('etag', versionETag(form.revision)).send(body);
}

const duplicates: FeaturePlugin<FormRouteDeps> = async (app, { clock }) => {
  app.post(
    '/api/v1/forms/:id/duplicate',
    {
      schema: duplicateOperation,
      config: { access: 'admin', scope: 'forms:write', idempotent: true, problems: ['form_not_found'] },
    },
    ({ params }, reply) =>
      reply.sendOnce(async () => ({
        store: async (tx) => {
          const form = await duplicateForm(tx, parseFormId(params.id), clock());
          const draft = (await findVersion(tx, form.id, form.draft_version))!;
          return createdFormResponse(form, parseDefinition(draft));
        },
      })),
  );
};
