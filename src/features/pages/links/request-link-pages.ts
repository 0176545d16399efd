/** The pages that send another link: to set a password, or to verify an email. */
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { optionalBody } from '../../../plugins/bodies/json-bodies.ts';
import type { RenderProblem } from '../../../plugins/problems/error-response.ts';
import type { MemberErrors } from '../../../problems/validation-failed.ts';
import { requestLink } from '../../people/accounts/request-link.ts';
import { requestLinkSchema } from '../../people/accounts/schemas.ts';
import type { AccountDeps } from '../../people/sign-in/account-deps.ts';
import { findRedirect, type PageRequest, sendPage } from '../hosted/page.ts';
import { translateFieldError } from '../hosted/page-forms.ts';
import { createProblemPages, type PageDeps, REQUEST_PATHS, redirectTo } from './step-route.ts';

const REQUESTS = {
  reset_password: { text: 'page.request_reset', limits: ['password-reset'] },
  verify_email: { text: 'page.request_verification', limits: ['email-verification'] },
} as const;

export interface RequestLinkPageDeps extends AccountDeps, PageDeps {
  readonly kind: keyof typeof REQUESTS;
}

const { redirect_to: _, ...formMembers } = requestLinkSchema.properties;
const formSchema = { ...requestLinkSchema, properties: formMembers } as const;

/** Registers the page and its form. The outcome is the same whether or not the address has an account. */
export const requestLinkPages: FeaturePlugin<RequestLinkPageDeps> = async (app, deps) => {
  const { kind } = deps;
  const path = REQUEST_PATHS[kind];
  const errorHandler = app.createPageErrorHandler(createErrorPages(deps));

  app.get(
    path,
    { schema: { hide: true }, config: { access: 'public', limits: ['documents'] }, errorHandler },
    async (request, reply) => sendPage(reply, await formPage(deps, request, [])),
  );

  app.post(
    path,
    {
      schema: { hide: true, body: formSchema },
      config: { access: 'public', limits: REQUESTS[kind].limits },
      // A form without members lacks the address, like an empty field.
      preValidation: optionalBody,
      errorHandler,
    },
    async ({ body, query }, reply) => {
      const linkTo = findRedirect(query, deps.allowRedirect);
      await requestLink(deps, { kind, email: body.email, redirectTo: linkTo });
      return redirectTo(reply, 'link-requested', deps);
    },
  );
};

async function formPage(
  { kind, openPage }: RequestLinkPageDeps,
  request: PageRequest & { readonly body?: unknown },
  errors: readonly string[],
) {
  const { texts, render } = await openPage(request);
  const isRejected = errors.length > 0;
  const { email = '' } = (request.body ?? {}) as Readonly<Record<string, unknown>>;
  return render({
    status: isRejected ? 400 : 200,
    template: 'request-link',
    title: texts.text(`${REQUESTS[kind].text}.title`),
    text: texts.text(`${REQUESTS[kind].text}.text`),
    email: typeof email === 'string' ? email : '',
    errors: errors.map((message) => translateFieldError(message, { field: 'email' }, texts)),
    isRejected,
  });
}

function createErrorPages(deps: RequestLinkPageDeps): RenderProblem {
  const renderOther = createProblemPages(null, deps);
  return (problem, request) => {
    const errors = problem.options.errors ?? {};
    const messages = Array.isArray(errors) ? undefined : (errors as MemberErrors).email;
    return messages === undefined ? renderOther(problem, request) : formPage(deps, request, messages);
  };
}
