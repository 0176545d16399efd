/** The pages that confirm an email by a link. */
import { type Route, route } from '../../http/route.ts';
import { type ConfirmEmailDeps, confirmEmail, findEmailToConfirm } from '../accounts/confirm-email.ts';
import { createProblemPages, type PageDeps, redirectTo, stepRoute } from './step-route.ts';
import { STEPS } from './texts.ts';

const OUTCOMES = { verified: 'email-verified', changed: 'email-changed' } as const;

/** Returns the page and the step of its form. */
export function confirmEmailPages(
  kind: 'verify_email' | 'change_email',
  deps: ConfirmEmailDeps & PageDeps,
): Route[] {
  const { render } = deps;
  const { title, text, action } = STEPS[kind];
  const step = stepRoute(kind, createProblemPages(kind, render));
  return [
    route({
      ...step,
      method: 'GET',
      operationId: `getPage_${kind}`,
      limits: ['documents'],
      responses: { 200: { description: 'The form.' } },
      problems: ['link_not_found'],
      handle: async ({ params }) => {
        const email = await findEmailToConfirm(deps, params.token);
        return render({ status: 200, template: 'confirm-email', title, text, action, email });
      },
    }),
    route({
      ...step,
      method: 'POST',
      operationId: `postPage_${kind}`,
      bodyType: 'form',
      responses: { 303: { description: 'The email is confirmed.' } },
      problems: ['link_not_found', 'email_taken'],
      handle: async ({ params }) => redirectTo(OUTCOMES[await confirmEmail(deps, params.token)], deps),
    }),
  ];
}
