/** Registers pages and their forms: each GET and POST of a page is one entry of a table. */
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { getActionContext, runInContext } from '../../../callers/action-context.ts';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import { isSameOrigin } from '../../../plugins/access/console-request.ts';
import { optionalBody } from '../../../plugins/bodies/json-bodies.ts';
import type { ErrorHandler, RenderProblem } from '../../../plugins/problems/error-response.ts';
import { Problem } from '../../../problems/problem.ts';
import { SignInFailure } from '../../identity-providers/sign-in-failure.ts';
import type { LinkKind } from '../../mail/links/queries.ts';
import type { SentForm } from '../../people/sign-in/session-cookie.ts';
import { hasNotice, toProblemPage } from './notices.ts';
import { type HostedPage, openPage, type PageContext, type PageDeps, sendPage } from './page.ts';
import { type FieldName, formSchema } from './page-forms.ts';
import { toDestination } from './way.ts';

type Headers = Readonly<Record<string, string>>;

/** A page, the URL to which the person is led, or a file. */
export type Outcome = (
  | { readonly page: HostedPage; readonly headers?: Headers; readonly status?: number }
  | { readonly url: string }
  | { readonly body: string; readonly headers: Headers }
) & { readonly cookies?: readonly string[] };

type Handler = (context: PageContext, request: FastifyRequest) => Promise<Outcome>;

/** What a person gets by GET; without `get`, the page of the group. */
export interface PageRoute {
  readonly path: string;
  readonly params?: JsonSchema;
  readonly config?: FastifyContextConfig;
  readonly exposeHeadRoute?: false;
  readonly get?: Handler;
}

/** What a person sends by POST. */
export interface FormRoute {
  readonly path: string;
  readonly params?: JsonSchema;
  readonly config?: FastifyContextConfig;
  readonly fields?: readonly FieldName[];
  /** Schema of a body that has no fields; without both, the handler reads it. */
  readonly body?: JsonSchema;
  /** Whether the origin of the form is of no concern, such as that of a program. */
  readonly isFromAnywhere?: boolean;
  readonly send: Handler;
}

export interface ProblemPages {
  /** Shows the page of the forms, also after one was rejected; throws the problem if it cannot. */
  readonly show?: (context: PageContext, request: FastifyRequest, problem?: Problem) => Promise<HostedPage>;
  /** The kind of the link by which the person has come. */
  readonly link?: LinkKind;
  /** Returns the page of a problem that others do not know; null for all other problems. */
  readonly explain?: (context: PageContext, problem: Problem) => Promise<HostedPage | null>;
}

/** Pages and forms whose problems have the same pages. */
export interface PageGroup extends ProblemPages {
  readonly routes: readonly (PageRoute | FormRoute)[];
}

type App = Parameters<FeaturePlugin<object>>[0];

/** Registers the routes of a group in their order. */
export function addPages(app: App, deps: PageDeps, { routes, ...group }: PageGroup): void {
  const errorHandler = app.createPageErrorHandler(createProblemPages(deps, group));
  const show: Handler = async (...request) => ({ page: await group.show!(...request) });
  for (const route of routes) {
    if ('send' in route) addForm(app, route, { deps, errorHandler });
    else addPage(app, { get: show, ...route }, { deps, errorHandler });
  }
}

interface RouteDeps {
  readonly deps: PageDeps;
  readonly errorHandler: ErrorHandler;
}

function addPage(
  app: App,
  {
    path,
    params,
    get,
    config = { limits: ['documents'] },
    ...options
  }: PageRoute & { readonly get: Handler },
  { deps, errorHandler }: RouteDeps,
): void {
  const schema = { hide: true, ...(params && { params }) };
  const route = { schema, config: { access: 'public', ...config }, errorHandler, ...options } as const;
  app.get(path, route, async (request, reply) => {
    const context = await openPage(deps, request);
    return sendOutcome(reply, context, await runIn(context, () => get(context, request as FastifyRequest)));
  });
}

function addForm(
  app: App,
  { path, params, fields, body = fields && formSchema(fields), config, isFromAnywhere, send }: FormRoute,
  { deps, errorHandler }: RouteDeps,
): void {
  const schema = { hide: true, ...(params && { params }), ...(body && { body }) };
  const route = { schema, config: { access: 'public', ...config }, errorHandler } as const;
  // A form without members lacks its fields, like empty ones.
  app.post(path, { ...route, preValidation: optionalBody }, async (request, reply) => {
    if (!isFromAnywhere && !isSameOrigin(request.headers, deps.publicUrl))
      throw new Problem('cross_site_request');
    const context = await openPage(deps, request);
    const sending = runIn(context, () => send(context, request as FastifyRequest));
    return sendOutcome(
      reply,
      context,
      await sending.catch((error) => leadOn(deps, context, { request, error })),
    );
  });
}

/** Leads a person on whose form has started a session, and whose browser has not received it. @throws the error if there is none */
async function leadOn(
  { signInSessions }: PageDeps,
  context: PageContext,
  { request, error }: { readonly request: SentForm; readonly error: unknown },
): Promise<Outcome> {
  const cookie = error instanceof Problem ? await signInSessions.findStarted(request) : undefined;
  if (cookie === undefined) throw error;
  return { url: toDestination(context), cookies: [cookie] };
}

/** Messages have the language of the page. */
const runIn = <T>({ texts: { language } }: PageContext, work: () => T): T =>
  runInContext({ ...getActionContext(), language }, work);

/** Redirects with 303, so that reloading the next page does not send a form again (RFC 9110 section 15.4.4). */
function sendOutcome(reply: FastifyReply, context: PageContext, { cookies = [], ...outcome }: Outcome) {
  if (cookies.length > 0) reply.header('set-cookie', [...cookies]);
  if ('url' in outcome) return reply.code(303).header('location', outcome.url).send();
  reply.headers(outcome.headers ?? {});
  return 'body' in outcome
    ? reply.send(outcome.body)
    : sendPage(reply, context.render(outcome.page, outcome.status));
}

/** Creates the renderer of problems: a form that was rejected is shown again, others have pages of their own. */
export function createProblemPages(
  deps: PageDeps,
  { show, link, explain }: ProblemPages = {},
): RenderProblem {
  return async (problem, request) => {
    const path = request.url.split('?', 1)[0]!;
    const returnTo = problem instanceof SignInFailure ? problem.returnTo : null;
    const context = await openPage(deps, request, { problem, path, returnTo });
    const explained = await explain?.(context, problem);
    if (explained != null) return context.render({ notice: null, ...explained });
    const other = context.render(toProblemPage(context, problem, link ?? null));
    if (show === undefined || request.method !== 'POST' || !hasNotice(problem)) return other;
    return show(context, request, problem).then(context.render, (error) =>
      error instanceof Problem ? other : Promise.reject(error),
    );
  };
}

/** Adds the hooks of all pages. Errors: Problem not_found while they are closed. */
export function addPageHooks(app: App, isOpen: () => boolean = () => true): void {
  app.addHook('onRequest', (_request, reply, done) => {
    // The text of pages and error pages depends on it (RFC 9110 section 12.5.5).
    reply.header('vary', `${reply.getHeader('vary')}, Accept-Language`);
    done(isOpen() ? undefined : new Problem('not_found'));
  });
}
