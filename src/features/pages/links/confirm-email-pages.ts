/** The pages that confirm an email by a link. */
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { confirmEmail, findEmailToConfirm } from '../../people/accounts/confirm-email.ts';
import type { AccountDeps } from '../../people/sign-in/account-deps.ts';
import { sendPage } from '../hosted/page.ts';
import { createProblemPages, type PageDeps, redirectTo, stepPath, stepSchema } from './step-route.ts';

const OUTCOMES = { verified: 'email-verified', changed: 'email-changed' } as const;

export const confirmEmailPages: FeaturePlugin<
  AccountDeps & PageDeps & { readonly kind: 'verify_email' | 'change_email' }
> = async (app, deps) => {
  const { kind, openPage } = deps;
  const errorHandler = app.createPageErrorHandler(createProblemPages(kind, deps));
  const path = stepPath(kind);
  const schema = stepSchema;

  app.get(
    path,
    { schema, config: { access: 'public', limits: ['documents'] }, errorHandler },
    async (request, reply) => {
      const email = await findEmailToConfirm(deps, request.params.token);
      const { texts, render } = await openPage(request);
      return sendPage(
        reply,
        render({
          status: 200,
          template: 'confirm-email',
          title: texts.text(`page.${kind}.title`),
          text: texts.text(`page.${kind}.text`),
          action: texts.text(`page.${kind}.action`),
          email,
        }),
      );
    },
  );

  app.post(path, { schema, config: { access: 'public' }, errorHandler }, async ({ params }, reply) =>
    redirectTo(reply, OUTCOMES[await confirmEmail(deps, params.token)], deps),
  );
};
