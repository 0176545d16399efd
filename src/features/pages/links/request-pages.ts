/** The pages that send another link. */
import { requestLink } from '../../people/accounts/request-link.ts';
import { REQUEST_PATHS } from '../hosted/notices.ts';
import { createForm } from '../hosted/page-forms.ts';
import type { PageGroup } from '../hosted/page-routes.ts';
import type { LinkPageDeps } from './link-pages.ts';

export const LINK_REQUESTED = '/account/link-requested';

const REQUESTS = {
  reset_password: { text: 'page.request_reset', limits: ['password-reset'] },
  verify_email: { text: 'page.request_verification', limits: ['email-verification'] },
} as const;

/** The page that sends another link. The outcome is the same whether or not the address has an account. */
export function requestLinkPages(deps: LinkPageDeps, kind: keyof typeof REQUESTS): PageGroup {
  const path = REQUEST_PATHS[kind];
  const { text: key, limits } = REQUESTS[kind];
  return {
    async show(context, _request, problem) {
      if (problem !== undefined && problem.code !== 'validation_failed') throw problem;
      const { text } = context.texts;
      return {
        title: text(`${key}.title`),
        paragraphs: [text(`${key}.text`)],
        forms: [
          createForm(context, {
            ...{ path: null, label: text('page.email.action'), fields: ['email'], isMain: true },
          }),
        ],
      };
    },
    routes: [
      { path },
      {
        ...{ path, fields: ['email'], config: { limits }, isFromAnywhere: true },
        async send({ toUrl, redirectTo, returnTo }, { body }) {
          const { email } = body as { readonly email: string };
          await requestLink(deps, { kind, email, redirectTo, returnTo });
          return { url: toUrl(LINK_REQUESTED) };
        },
      },
    ],
  };
}
