/** The pages that set a password by a link. */

import type { FastifyRequest } from 'fastify';
import type { Tx } from '../../../database/database.ts';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { isSameOrigin } from '../../../plugins/access/console-request.ts';
import { optionalBody } from '../../../plugins/bodies/json-bodies.ts';
import type { RenderProblem } from '../../../plugins/problems/error-response.ts';
import { checkPasswordLink, resetPassword } from '../../people/accounts/reset-password.ts';
import { newPasswordSchema } from '../../people/accounts/schemas.ts';
import type { AccountDeps } from '../../people/sign-in/account-deps.ts';
import { passGate } from '../../people/sign-in/gate.ts';
import type { SignInSessions } from '../../people/sign-in/sessions.ts';
import { type PageRequest, type PageView, sendPage } from '../hosted/page.ts';
import { translateFieldError } from '../hosted/page-forms.ts';
import { createProblemPages, type PageDeps, redirectTo, stepPath, stepSchema } from './step-route.ts';

type Kind = 'reset_password' | 'claim_account';

export interface SetPasswordPageDeps extends AccountDeps, PageDeps {
  readonly kind: Kind;
  readonly publicUrl: string;
  readonly signInSessions: SignInSessions;
}

export const setPasswordPages: FeaturePlugin<SetPasswordPageDeps> = async (app, deps) => {
  const { kind } = deps;
  const form = async (request: PageRequest, errors: readonly string[]) =>
    setPasswordPage(await deps.openPage(request), errors, deps);
  const errorHandler = app.createPageErrorHandler(createErrorPages(form, deps));
  const path = stepPath(kind);

  app.get(
    path,
    { schema: stepSchema, config: { access: 'public', limits: ['documents'] }, errorHandler },
    async (request, reply) => {
      await checkPasswordLink(deps, request.params.token);
      return sendPage(reply, await form(request, []));
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
    async (request, reply) => {
      const { body, params, clientIp } = request;
      const given = { token: params.token, password: body.password, clientIp };
      await resetPassword(deps, given, async (tx, userId) => {
        const cookie = await signIn(deps, tx, { userId, request });
        if (cookie !== null) reply.header('set-cookie', cookie);
      });
      return redirectTo(reply, 'password-set', deps);
    },
  );
};

/**
 * Signs the browser in that has set the password, and returns the cookie. null: the person has a second factor, or another
 * site has sent the form, perhaps with the link of somebody else.
 */
async function signIn(
  deps: SetPasswordPageDeps,
  tx: Tx,
  {
    userId,
    request,
  }: { readonly userId: string; readonly request: Pick<FastifyRequest, 'headers' | 'clientIp'> },
): Promise<string | null> {
  const { settings, publicUrl, loginGuard, signInSessions } = deps;
  const { headers, clientIp } = request;
  if (!settings.current.hostedPages || !isSameOrigin(headers, publicUrl)) return null;
  const network = loginGuard.hashNetwork(clientIp);
  const passed = await passGate(deps, tx, { userId, amr: ['email', 'pwd'], network });
  if (passed === null || 'challenge' in passed) return null;
  return (await signInSessions.start(tx, passed.admitted, headers)).cookie;
}

/** A rejected password is not shown again. */
export function setPasswordPage(
  { texts, render }: PageView,
  errors: readonly string[],
  deps: Pick<SetPasswordPageDeps, 'kind' | 'passwordPolicy'>,
) {
  const { kind, passwordPolicy } = deps;
  const isRejected = errors.length > 0;
  const { minLength } = passwordPolicy;
  return render({
    status: isRejected ? 400 : 200,
    template: 'set-password',
    title: texts.text(`page.${kind}.title`),
    text: texts.text(`page.${kind}.text`),
    rules: texts.text(`page.password.rules.${passwordPolicy.kind}`, { min: minLength }),
    minLength,
    errors: errors.map((message) => translateFieldError(message, { field: 'password', minLength }, texts)),
    isRejected,
  });
}

/** A rejected password gets the form again, other problems a page of their own. */
function createErrorPages(
  form: (request: PageRequest, errors: readonly string[]) => Promise<ReturnType<typeof setPasswordPage>>,
  deps: SetPasswordPageDeps,
): RenderProblem {
  const renderOther = createProblemPages(deps.kind, deps);
  return (problem, request) => {
    const { errors } = problem.options;
    return errors === undefined ? renderOther(problem, request) : form(request, Object.values(errors).flat());
  };
}
