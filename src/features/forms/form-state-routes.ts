/** Routes that publish, close, reopen and duplicate forms. */
import { ifMatch } from '../../lib/routes/preconditions.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { ifMatchHeader } from '../users/records/schemas.ts';
import { changeState, duplicateForm } from './change-form.ts';
import * as examples from './form-examples.ts';
import * as schemas from './form-responses.ts';
import { createdFormResponse, sendForm } from './form-responses.ts';
import type { FormRouteDeps } from './form-routes.ts';

const tags = ['Forms'];
const params = schemas.formIdSchema;
const WRITE = { access: 'admin', scope: 'forms:write' } as const;

const CHANGES = {
  publish: {
    description: 'Makes the draft the version that is answered, and opens the form, also a closed one.',
    example: examples.changed,
    problems: ['form_not_found', 'precondition_failed'],
  },
  close: {
    description: 'The form accepts no submissions then.',
    example: examples.closed,
    problems: ['form_not_found', 'form_state_conflict', 'precondition_failed'],
  },
  reopen: {
    description: 'Opens a closed form with the version that was published last.',
    example: examples.changed,
    problems: ['form_not_found', 'form_state_conflict', 'precondition_failed'],
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
