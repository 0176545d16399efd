/** The page to sign in. */
import { Problem } from '../../../problems/problem.ts';
import { listEnabledProviders } from '../../identity-providers/queries.ts';
import type { HostedPage, PageContext, PageRequest } from '../../pages/hosted/page.ts';
import { createForm } from '../../pages/hosted/page-forms.ts';
import type { PageGroup } from '../../pages/hosted/page-routes.ts';
import { isToConsole, readQuery, toDestination } from '../../pages/hosted/way.ts';
import { logIn } from '../../people/sign-in/log-in.ts';
import { hasAdministrator } from '../../users/records/queries.ts';
import { mailAndShow, mailsCodes } from './code-pages.ts';
import {
  type HostedPageDeps,
  isSignUpOpen,
  LOGIN,
  leadToSecondFactor,
  startSession,
  toMark,
} from './hosted-pages.ts';
import { offerPasskeys, passkeyRoutes } from './passkey-pages.ts';

export const signInPages = (deps: HostedPageDeps): PageGroup => ({
  show: (context, request, problem) => signInView(deps, context, { request, problem }),
  routes: [
    ...passkeyRoutes(deps),
    {
      path: '/sign-in',
      async get(context, request) {
        // Only ADMIN_TOKEN can open the console then.
        if (isToConsole(context) && !(await hasAdministrator(deps.database)))
          return { url: `${toDestination(context)}#first-owner` };
        const only = hasForm(deps) ? undefined : await findOnlyProvider(deps);
        if (only !== undefined && (await findOwnSession(deps, context, request)) === undefined)
          return { url: context.toUrl(`/sign-in/with/${only.id}`) };
        return { page: await signInView(deps, context, { request }) };
      },
    },
    {
      ...{ path: '/sign-in', fields: ['email', 'current_password'], config: LOGIN },
      async send(context, request) {
        if (!deps.settings.current.passwordSignIn) throw new Problem('not_found');
        const { clientIp, headers } = request;
        const { email, current_password: password = '' } = request.body as Record<string, string>;
        try {
          const login = { email: email!, password, clientIp };
          const cookie = await logIn(deps, login, startSession(deps, request));
          return { url: toDestination(context), cookies: [cookie] };
        } catch (error) {
          return leadToSecondFactor(deps, context, { headers, error });
        }
      },
    },
    {
      ...{ path: MAIL_CODE, fields: ['email'] },
      config: { limits: ['login-code'], isOpenTo: () => mailsCodes(deps) },
      send: (context, request) => mailAndShow(deps, context, request),
    },
  ],
});

const MAIL_CODE = '/sign-in/code/mail';

/** Whether people can sign in without a provider. */
const hasForm = ({ settings: { current } }: HostedPageDeps) =>
  current.passwordSignIn || current.emailCodeSignIn;

/** Returns the enabled provider if there is exactly one. */
async function findOnlyProvider({ database }: HostedPageDeps) {
  const [only, another] = await listEnabledProviders(database);
  return another === undefined ? only : undefined;
}

/** Returns the session of a person who can go on without signing in. */
const findOwnSession = async (
  { signInSessions }: HostedPageDeps,
  { returnTo }: PageContext,
  { headers }: Pick<PageRequest, 'headers'>,
) => (returnTo === null ? signInSessions.find(headers) : undefined);

/** Returns what the page to sign in shows; `problem`: why its form was rejected. */
export async function signInView(
  deps: HostedPageDeps,
  context: PageContext,
  { request, problem }: { readonly request: PageRequest; readonly problem?: Problem | undefined },
): Promise<HostedPage> {
  const { target, toUrl, basePath } = context;
  const { text } = context.texts;
  const user = (await findOwnSession(deps, context, request))?.user;
  const { instanceName: service } = deps.settings.current;
  const { name, email } = { name: user?.name ?? '', email: user?.email ?? '' };
  const person = user && { mark: toMark(name || email), name, email, href: `${basePath}/account` };
  const providers = (await listEnabledProviders(deps.database)).map(({ id, name }) => ({
    mark: toMark(name),
    href: toUrl(`/sign-in/with/${id}`),
    label: text('people.sign_in.with', { provider: name }),
  }));
  const page = {
    isEntry: true,
    title: target
      ? text('people.sign_in.title_to', { application: target.name })
      : text('people.sign_in.title'),
    paragraphs: [text('people.sign_in.text', { service })],
    ...(person && { person: { ...person, label: text('people.sign_in.go_on') } }),
    forms: hasForm(deps) ? [signInForm(deps, context, readQuery(request.query).login_hint)] : [],
    providers,
    ...(isToConsole(context)
      ? { aside: toAdminToken(context) }
      : isSignUpOpen(deps) && { aside: toSignUp(context) }),
  };
  return offerPasskeys(deps, context, { request, problem, page });
}

const toSignUp = ({ texts: { text }, toUrl }: PageContext) => ({
  text: text('people.sign_in.no_account'),
  href: toUrl('/sign-up'),
  label: text('people.sign_up.action'),
});

const toAdminToken = (context: PageContext) => ({
  text: context.texts.text('people.sign_in.no_role'),
  href: `${toDestination(context)}#admin-token`,
  label: context.texts.text('people.sign_in.admin_token'),
});

/** Returns the form with the password, with the button that mails a code beside it, or the form with the email only. */
function signInForm({ settings: { current } }: HostedPageDeps, context: PageContext, hint = '') {
  const { text } = context.texts;
  const mailed = { path: MAIL_CODE, label: text('people.mailed_code.action') };
  const values = { email: hint };
  if (!current.passwordSignIn)
    return createForm(context, { ...mailed, fields: ['email'], values, isMain: true });
  return createForm(context, {
    ...{ path: '/sign-in', label: text('people.sign_in.action'), isMain: true },
    fields: ['email', 'current_password'],
    ...{ values, ...(current.emailCodeSignIn && { other: mailed }) },
    help: { href: context.toUrl('/account/reset-password'), label: text('people.sign_in.forgotten') },
  });
}
