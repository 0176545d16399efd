/** The pages to create an account, and to sign out. */
import { toSearch } from '../../../lib/routes/routes.ts';
import { firstIdAt } from '../../../lib/secrets/ids.ts';
import { findPreferredLocale } from '../../../lib/text/locale.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { MINUTE } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { isDelivered } from '../../mail/settings.ts';
import type { HostedPage, PageContext } from '../../pages/hosted/page.ts';
import { createForm } from '../../pages/hosted/page-forms.ts';
import type { PageGroup } from '../../pages/hosted/page-routes.ts';
import { prepareRegistration } from '../../people/accounts/register.ts';
import { requestLink } from '../../people/accounts/request-link.ts';
import { findCredentials } from '../../users/records/queries.ts';
import { mailAndShow, mailsCodes } from './code-pages.ts';
import { type HostedPageDeps, isSignUpOpen, toSignedOutPage, toSignIn } from './hosted-pages.ts';
import { getPageRpId } from './passkey-pages.ts';
import { NEW_PASSKEY } from './passkey-section.ts';

const CODE_PATH = '/sign-up/code';

export function signUpPages(deps: HostedPageDeps): PageGroup {
  const isOpenTo = () => isSignUpOpen(deps);
  return {
    show: async (context) => signUpView(deps, context),
    routes: [
      { path: '/sign-up', config: { limits: ['documents'], isOpenTo } },
      {
        ...{ path: '/sign-up', fields: ['name', 'email', 'password'] },
        config: {
          limits: ['register', 'register-hour'],
          isOpenTo: () => isOpenTo() && deps.settings.current.passwordSignIn,
        },
        async send({ toUrl, lang, redirectTo, returnTo }, request) {
          const { clientIp, headers } = request;
          const { name, email, password } = request.body as Record<'name' | 'email' | 'password', string>;
          const locale = lang ?? findPreferredLocale(headers['accept-language']);
          const way = { redirectTo, returnTo };
          const registration = { name, email, password, locale, clientIp, ...way };
          // No session: a page that differs would tell whose address is registered.
          const { store, userId } = await prepareRegistration(deps, registration, async () => undefined);
          try {
            await deps.database.transaction(store);
          } catch (error) {
            if (!(error instanceof Problem) || error.code !== 'email_taken') throw error;
            await inviteBack(deps, email, way);
          }
          const cookies = [deps.signUpProof.formatCookie(headers, userId)];
          return { url: toUrl('/sign-up/done'), cookies };
        },
      },
      {
        // Without a password: the code creates the account, so that no page and no time tells whose address is registered.
        ...{ path: CODE_PATH, fields: ['name', 'email'] },
        config: {
          limits: ['register', 'register-hour'],
          isOpenTo: () => isOpenTo() && mailsCodes(deps),
        },
        send: (context, request) => mailAndShow(deps, context, request),
      },
      { path: '/sign-up/done', get: async (context) => ({ page: signUpDoneView(deps, context) }) },
    ],
  };
}

/** Sends a link to the owner of the address, unless the form was sent twice and has just created the account. */
async function inviteBack(
  deps: HostedPageDeps,
  email: string,
  way: Pick<PageContext, 'redirectTo' | 'returnTo'>,
): Promise<void> {
  const { id = '' } = (await findCredentials(deps.database, normalizeEmail(email))) ?? {};
  if (id < firstIdAt(deps.clock() - MINUTE))
    await requestLink(deps, { kind: 'reset_password', email, ...way, isForm: true });
}

/** Returns what the page to create an account shows. */
export function signUpView(deps: HostedPageDeps, context: PageContext): HostedPage {
  const { settings } = deps;
  const { text } = context.texts;
  const service = settings.current.instanceName;
  const form = {
    label: text('people.sign_up.action'),
    isMain: true,
    ...offerPasskey(deps, context),
  } as const;
  return {
    isEntry: true,
    title: text('people.sign_up.title'),
    paragraphs: [text('people.sign_up.text', { service })],
    forms: [
      settings.current.passwordSignIn
        ? createForm(context, { ...form, path: '/sign-up', fields: ['name', 'email', 'password'] })
        : createForm(context, { ...form, path: CODE_PATH, fields: ['name', 'email'] }),
    ],
    aside: { text: text('people.sign_up.has_account'), ...toSignIn(context) },
  };
}

/** The button to sign up with a passkey: the code from the mail creates the account, and stays a way in. */
function offerPasskey(deps: HostedPageDeps, context: PageContext) {
  if (!mailsCodes(deps) || !isDelivered(deps.mail) || getPageRpId(deps, context) === null) return {};
  const returnTo = NEW_PASSKEY + toSearch({ return_to: context.returnTo });
  const action = context.toUrl(CODE_PATH, { return_to: returnTo });
  return { other: { path: CODE_PATH, label: context.texts.text('people.passkeys.sign_up'), action } };
}

function signUpDoneView({ mail }: HostedPageDeps, context: PageContext): HostedPage {
  const { text } = context.texts;
  const links = [toSignIn(context)];
  if (!isDelivered(mail)) {
    const title = text('page.outcome.mail_off.title');
    return { title, paragraphs: [text('page.outcome.mail_off.text')], links };
  }
  const paragraphs = [text('people.sign_up.done.text'), text('people.sign_up.done.known')];
  return { title: text('page.outcome.link_requested.title'), paragraphs, links };
}

export const signOutPages = ({ signInSessions, database }: HostedPageDeps): PageGroup => ({
  async show(context, { headers }) {
    const session = await signInSessions.find(headers);
    const { text } = context.texts;
    if (session === undefined) return toSignedOutPage(context);
    const form = { path: '/sign-out', label: text('people.sign_out.action'), isMain: true, fields: [] };
    return {
      title: text('people.sign_out.title'),
      paragraphs: [text('people.sign_out.text', { email: session.user.email ?? '' })],
      forms: [createForm(context, form)],
    };
  },
  routes: [
    { path: '/sign-out' },
    {
      ...{ path: '/sign-out', fields: [] },
      async send({ toUrl }, { headers }) {
        const session = await signInSessions.find(headers);
        if (session !== undefined) await database.transaction((tx) => signInSessions.end(tx, session));
        return { url: toUrl('/sign-out'), cookies: [signInSessions.expiredCookie(headers)] };
      },
    },
  ],
});
