/** The pages that confirm an email by a link. */
import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import {
  type ConfirmEmailDeps,
  confirmEmail,
  findEmailToConfirm,
} from '../../accounts/email/confirm-email.ts';
import { sendPage } from './render-page.ts';
import { createProblemPages, type PageDeps, redirectTo, stepPath, stepSchema } from './step-route.ts';
import { STEPS } from './texts.ts';

const OUTCOMES = { verified: 'email-verified', changed: 'email-changed' } as const;

export interface ConfirmEmailPageDeps extends ConfirmEmailDeps, PageDeps {
  readonly kind: 'verify_email' | 'change_email';
}

/** Registers the page and the step of its form. */
export const confirmEmailPages: FeaturePlugin<ConfirmEmailPageDeps> = async (app, deps) => {
  const { kind, render } = deps;
  const { title, text, action } = STEPS[kind];
  const errorHandler = app.createPageErrorHandler(createProblemPages(kind, render));
  const path = stepPath(kind);
  const schema = stepSchema;

  app.get(
    path,
    { schema, config: { access: 'public', limits: ['documents'] }, errorHandler },
    async ({ params }, reply) => {
      const email = await findEmailToConfirm(deps, params.token);
      const page = { status: 200, template: 'confirm-email', title, text, action, email } as const;
      return sendPage(reply, await render(page));
    },
  );

  app.post(path, { schema, config: { access: 'public' }, errorHandler }, async ({ params }, reply) =>
    redirectTo(reply, OUTCOMES[await confirmEmail(deps, params.token)], deps),
  );
};
