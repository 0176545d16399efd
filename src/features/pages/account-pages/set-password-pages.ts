/** The pages that set a password by a link. */
import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { optionalBody } from '../../../plugins/json-bodies/json-bodies.ts';
import type { RenderProblem } from '../../../plugins/problems/error-response.ts';
import {
  checkPasswordLink,
  type ResetPasswordDeps,
  resetPassword,
} from '../../accounts/passwords/reset-password.ts';
import { newPasswordSchema } from '../../accounts/schemas.ts';
import { sendPage } from './render-page.ts';
import { createProblemPages, type PageDeps, redirectTo, stepPath, stepSchema } from './step-route.ts';
import { STEPS } from './texts.ts';

type Kind = 'reset_password' | 'claim_account';

export interface SetPasswordPageDeps extends ResetPasswordDeps, PageDeps {
  readonly kind: Kind;
}

/** Registers the page and the step of its form. */
export const setPasswordPages: FeaturePlugin<SetPasswordPageDeps> = async (app, deps) => {
  const { kind } = deps;
  const form = (errors: readonly string[]) => formPage(kind, errors, deps);
  const errorHandler = app.createPageErrorHandler(createErrorPages(kind, form, deps));
  const path = stepPath(kind);

  app.get(
    path,
    { schema: stepSchema, config: { access: 'public', limits: ['documents'] }, errorHandler },
    async ({ params }, reply) => {
      await checkPasswordLink(deps, params.token);
      return sendPage(reply, await form([]));
    },
  );

  app.post(
    path,
    {
      schema: { ...stepSchema, body: newPasswordSchema },
      config: { access: 'public', limits: ['password-reset'] },
      // A form without members lacks the password, like an empty field.
      preValidation: optionalBody,
      errorHandler,
    },
    async ({ body, params, clientIp }, reply) => {
      await resetPassword(deps, { token: params.token, password: body.password, clientIp });
      return redirectTo(reply, 'password-set', deps);
    },
  );
};

/** A rejected password is not shown again. */
function formPage(kind: Kind, errors: readonly string[], { render, passwordPolicy }: FormDeps) {
  const isRejected = errors.length > 0;
  const { minLength, rules } = passwordPolicy;
  const { title, text } = STEPS[kind];
  return render({
    status: isRejected ? 400 : 200,
    template: 'set-password',
    title,
    text,
    minLength,
    rules,
    errors,
    isRejected,
  });
}

type FormDeps = Pick<ResetPasswordDeps, 'passwordPolicy'> & PageDeps;

/** A rejected password gets the form again, other problems a page of their own. */
function createErrorPages(
  kind: Kind,
  form: (errors: readonly string[]) => ReturnType<typeof formPage>,
  { render }: FormDeps,
): RenderProblem {
  const renderOther = createProblemPages(kind, render);
  return (problem) => {
    const { errors } = problem.options;
    if (errors === undefined) return renderOther(problem);
    return form(Object.values(errors).flat());
  };
}
