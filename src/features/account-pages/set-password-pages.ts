/** The pages that set a password by a link. */
import { type RenderProblem, type Route, route } from '../../http/route.ts';
import { checkPasswordLink, type ResetPasswordDeps, resetPassword } from '../accounts/reset-password.ts';
import { newPasswordSchema } from '../accounts/schemas.ts';
import { createProblemPages, type PageDeps, redirectTo, stepRoute } from './step-route.ts';
import { STEPS } from './texts.ts';

type Kind = 'reset_password' | 'claim_account';

/** Returns the page and the step of its form. */
export function setPasswordPages(kind: Kind, deps: ResetPasswordDeps & PageDeps): Route[] {
  const form = (errors: readonly string[]) => formPage(kind, errors, deps);
  const step = stepRoute(kind, createErrorPages(kind, form, deps));
  return [
    route({
      ...step,
      method: 'GET',
      operationId: `getPage_${kind}`,
      limits: ['documents'],
      responses: { 200: { description: 'The form.' } },
      problems: ['link_not_found'],
      handle: async ({ params }) => {
        await checkPasswordLink(deps, params.token);
        return form([]);
      },
    }),
    route({
      ...step,
      method: 'POST',
      operationId: `postPage_${kind}`,
      limits: ['password-reset'],
      body: newPasswordSchema,
      bodyType: 'form',
      // A form without members lacks the password, like an empty field.
      bodyOptional: true,
      responses: { 303: { description: 'The password is set.' } },
      problems: ['link_not_found'],
      handle: async ({ body, params, clientIp }) => {
        await resetPassword(deps, { token: params.token, password: body.password, clientIp });
        return redirectTo('password-set', deps);
      },
    }),
  ];
}

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
