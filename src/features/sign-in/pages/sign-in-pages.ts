/** The page to sign in. */

import type { FastifyRequest } from 'fastify';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { optionalBody } from '../../../plugins/bodies/json-bodies.ts';
import { Problem } from '../../../problems/problem.ts';
import { listEnabledProviders } from '../../identity-providers/queries.ts';
import { type PageRequest, sendPage } from '../../pages/hosted/page.ts';
import { createForm, type FormContext, formSchema } from '../../pages/hosted/page-forms.ts';
import { logIn } from '../../people/sign-in/log-in.ts';
import { formatChallengeCookie } from '../../people/sign-in/session-cookie.ts';
import { hasAdministrator } from '../../users/records/queries.ts';
import {
  createFormErrors,
  type HostedPage,
  type HostedPageDeps,
  isSignUpOpen,
  openHostedPage,
  type PageContext,
  readChallenge,
  redirect,
  requireSameOrigin,
  SECOND_FACTOR,
  SHOWN,
  schema,
  startSession,
  toDestination,
  toMark,
} from './hosted-pages.ts';

export const signInPage: FeaturePlugin<HostedPageDeps> = async (app, deps) => {
  const page = async (context: PageContext, request: PageRequest, status?: number) =>
    context.render(await signInView(deps, context, request), status);
  const errorHandler = app.createPageErrorHandler(createFormErrors(deps, page as never));

  app.get('/sign-in', { schema, config: SHOWN, errorHandler }, async (request, reply) => {
    const context = await openHostedPage(deps, request);
    // Only ADMIN_TOKEN can open the console then.
    if (isToConsole(context) && !(await hasAdministrator(deps.database)))
      return redirect(reply, `${deps.basePath}${context.returnTo}#first-owner`);
    const only = deps.settings.current.passwordSignIn ? undefined : await findOnlyProvider(deps);
    if (only !== undefined && (await findOwnSession(deps, context, request)) === undefined)
      return redirect(reply, context.toUrl(`/sign-in/with/${only.id}`));
    return sendPage(reply, await page(context, request as PageRequest));
  });

  const body = formSchema(['email', 'current_password']);
  const config = { access: 'public', limits: ['login'] } as const;
  const options = { schema: { ...schema, body }, config, preValidation: optionalBody, errorHandler };
  app.post('/sign-in', options, async (request, reply) => {
    requireSameOrigin(request as FastifyRequest, deps);
    if (!deps.settings.current.passwordSignIn) throw new Problem('not_found');
    const { clientIp, headers } = request;
    const { email, current_password: password = '' } = request.body as Record<string, string>;
    const context = await openHostedPage(deps, request);
    try {
      const cookie = await logIn(deps, { email: email!, password, clientIp }, startSession(deps, request));
      return redirect(reply, toDestination(deps, context), [cookie]);
    } catch (error) {
      const cookie = formatChallengeCookie(deps.publicUrl, headers, readChallenge(error));
      return redirect(reply, context.toUrl(SECOND_FACTOR), [cookie]);
    }
  });
};

/** Returns the enabled provider if there is exactly one. */
async function findOnlyProvider({ database }: HostedPageDeps) {
  const [only, another] = await listEnabledProviders(database);
  return another === undefined ? only : undefined;
}

/** Returns the session of a person who can go on without signing in. */
const findOwnSession = async (
  { signInSessions }: HostedPageDeps,
  { returnTo }: PageContext,
  { headers }: Pick<FastifyRequest, 'headers'>,
) => (returnTo === null ? signInSessions.find(headers) : undefined);

/** Returns what the page to sign in shows. */
export async function signInView(
  deps: HostedPageDeps,
  context: PageContext,
  request: PageRequest,
): Promise<HostedPage> {
  const { target, toUrl, forms } = context;
  const { text } = context.texts;
  const { login_hint: hint } = request.query as Readonly<Record<string, unknown>>;
  const user = (await findOwnSession(deps, context, request))?.user;
  const { instanceName: service, passwordSignIn } = deps.settings.current;
  const { name, email } = { name: user?.name ?? '', email: user?.email ?? '' };
  const person = user && { mark: toMark(name || email), name, email, href: `${deps.basePath}/account` };
  const providers = (await listEnabledProviders(deps.database)).map(({ id, name }) => ({
    mark: toMark(name),
    href: toUrl(`/sign-in/with/${id}`),
    label: text('people.sign_in.with', { provider: name }),
  }));
  return {
    title: target
      ? text('people.sign_in.title_to', { application: target.name })
      : text('people.sign_in.title'),
    paragraphs: [text('people.sign_in.text', { service })],
    ...(person && { person: { ...person, label: text('people.sign_in.go_on') } }),
    forms: passwordSignIn ? [signInForm(deps, forms, hint)] : [],
    providers,
    ...(isToConsole(context)
      ? { aside: toAdminToken(deps, context) }
      : isSignUpOpen(deps) && { aside: toSignUp(context) }),
  };
}

const toSignUp = ({ texts: { text }, toUrl }: PageContext) => ({
  text: text('people.sign_in.no_account'),
  href: toUrl('/sign-up'),
  label: text('people.sign_up.action'),
});

const isToConsole = ({ returnTo }: PageContext) => returnTo !== null && /^\/console(?:[/?]|$)/.test(returnTo);

const toAdminToken = ({ basePath }: HostedPageDeps, { texts: { text }, returnTo }: PageContext) => ({
  text: text('people.sign_in.no_role'),
  href: `${basePath}${returnTo}#admin-token`,
  label: text('people.sign_in.admin_token'),
});

function signInForm({ basePath }: HostedPageDeps, forms: FormContext, hint: unknown) {
  const { text } = forms.texts;
  return createForm(forms, {
    ...{ path: '/sign-in', label: text('people.sign_in.action'), isMain: true },
    fields: ['email', 'current_password'],
    values: typeof hint === 'string' ? { email: hint } : {},
    help: { href: `${basePath}/account/reset-password`, label: text('people.sign_in.forgotten') },
  });
}
