/** Composition root: the plugins that requests pass, and the features, in order. That list is the architecture. */
import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import { dashboard } from './features/activity/dashboard/routes.ts';
import { signUps } from './features/activity/sign-up-routes.ts';
import { tokenUse } from './features/activity/token-use-hook.ts';
import { alerts } from './features/alerts/routes.ts';
import { applications } from './features/applications/routes.ts';
import { branding } from './features/branding/routes.ts';
import { consoleSessions } from './features/console-sessions/routes.ts';
import { namedCredentials } from './features/credentials/routes.ts';
import { events } from './features/events/routes.ts';
import { formFields, storedForms } from './features/forms/routes.ts';
import { groups } from './features/groups/routes.ts';
import { identityProviders } from './features/identity-providers/routes.ts';
import { mailMessages } from './features/mail/messages/routes.ts';
import { oauth } from './features/oauth/routes.ts';
import { health } from './features/operation/health-routes.ts';
import { operation } from './features/operation/routes.ts';
import { webPages } from './features/pages/console/routes.ts';
import { describeApi, SHARED_SCHEMAS } from './features/pages/documents/describe-api.ts';
import { createErrorPages, documents } from './features/pages/documents/routes.ts';
import { formPages } from './features/pages/forms/routes.ts';
import { accountPages } from './features/pages/links/routes.ts';
import { emailVerifications, passwords } from './features/people/accounts/password-routes.ts';
import { ownData, profile } from './features/people/accounts/profile-routes.ts';
import { accounts } from './features/people/accounts/routes.ts';
import { passkeys } from './features/people/passkeys/routes.ts';
import { jsonWebTokens } from './features/people/tokens/jwt-routes.ts';
import { tokens } from './features/people/tokens/routes.ts';
import { tokenVerification } from './features/people/tokens/verify-route.ts';
import { hostedPages } from './features/sign-in/pages/routes.ts';
import { userAdministration } from './features/users/administration-routes.ts';
import { users } from './features/users/routes.ts';
import { webhooks } from './features/webhooks/routes.ts';
import {
  type AccessOptions,
  access,
  closedRoutes,
  credentials,
  recentSignIns,
} from './plugins/access/access.ts';
import { actionContext } from './plugins/action-context.ts';
import { jsonBodies } from './plugins/bodies/json-bodies.ts';
import { compression } from './plugins/compression.ts';
import { createClientErrorHandler } from './plugins/connections/client-errors.ts';
import { Connections } from './plugins/connections/connections.ts';
import { type CrossSiteOptions, crossOriginRequests, crossSiteRequests } from './plugins/cors.ts';
import { createDefaultHeaders, defaultHeaders } from './plugins/default-headers.ts';
import {
  createFastifyOptions,
  createFrameworkErrorHandler,
  type InstanceOptions,
} from './plugins/fastify-options.ts';
import { forwarding } from './plugins/forwarding.ts';
import { idempotentRoutes } from './plugins/idempotency/idempotent-routes.ts';
import { type LoadSheddingOptions, loadShedding } from './plugins/load-shedding.ts';
import { openapi } from './plugins/openapi/openapi.ts';
import {
  createErrorHandler,
  type ErrorResponseOptions,
  problems,
} from './plugins/problems/error-response.ts';
import { jsonResponses } from './plugins/problems/negotiation.ts';
import { anonymousRateLimits, userRateLimits } from './plugins/rate-limits/rate-limits.ts';
import { createRequestContext, requestContext } from './plugins/request-context.ts';
import { createRequestLog, requestLog } from './plugins/request-log.ts';
import { requestMetrics } from './plugins/request-metrics.ts';
import { routeTable } from './plugins/route-table.ts';
import { streamResponses } from './plugins/stream-response.ts';
import { unknownPaths, unsupportedMethods } from './plugins/unsupported-methods.ts';
import { knownParameters } from './plugins/validation.ts';
import { type AppDeps, createServerDeps, type ServerDeps } from './server-deps.ts';

export type HttpServer = ReturnType<typeof createServer>;

/** Creates the server with all features. It does not listen yet. */
export function buildServer(appDeps: AppDeps): HttpServer {
  const deps = createServerDeps(appDeps);
  const options = { ...deps, renderPage: createErrorPages(deps) };
  return createServer(options, (app) => {
    app.register(probeContext, deps);
    app.register(limitedContext, deps);
  });
}

type ServerOptions = InstanceOptions &
  Pick<ErrorResponseOptions, 'renderPage' | 'onDenied'> &
  Pick<ServerDeps, 'logger' | 'publicUrl' | 'corsOrigins' | 'isDraining'> &
  Partial<Pick<ServerDeps, 'requestObserver' | 'streamCheckMs'>>;

/** Creates a server with the plugins that every request passes, and the routes that `registerRoutes` adds. */
export function createServer(options: ServerOptions, registerRoutes: (app: FastifyInstance) => void) {
  const { logger, publicUrl, corsOrigins } = options;
  const connections = new Connections();
  const [tls, cors] = [publicUrl.startsWith('https:'), corsOrigins.length > 0];
  const headers = createDefaultHeaders({ tls, cors });
  const setContext = createRequestContext(options);
  const log = createRequestLog(logger);
  const errors = { ...options, onDisconnected: log };
  const handleError = createErrorHandler(errors);
  const app: FastifyInstance = fastify({
    ...createFastifyOptions(options),
    clientErrorHandler: createClientErrorHandler(connections, headers),
    frameworkErrors: createFrameworkErrorHandler({ headers, setContext, log, handleError, corsOrigins }),
  });
  connections.track(app.server);
  registerPlugins(app, { ...options, ...errors, headers, setContext, log });
  registerRoutes(app);
  return { app, connections };
}

type PluginOptions = ServerOptions &
  ErrorResponseOptions & {
    readonly headers: ReturnType<typeof createDefaultHeaders>;
    readonly setContext: ReturnType<typeof createRequestContext>;
    readonly log: ReturnType<typeof createRequestLog>;
  };

/** Plugins of every request. Their hooks run in this order. */
function registerPlugins(app: FastifyInstance, options: PluginOptions): void {
  app.register(defaultHeaders, options);
  app.register(requestContext, options);
  app.register(requestLog, options);
  if (options.requestObserver != null) app.register(requestMetrics, { observer: options.requestObserver });
  app.register(unsupportedMethods);
  app.register(crossOriginRequests, options);
  app.register(problems, options);
  app.register(compression);
  app.register(unknownPaths);
  app.register(streamResponses, options);
  app.register(openapi, describeApi(options.publicUrl));
  app.register(routeTable);
  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
}

/** Health checks: no limits and no load shedding. */
async function probeContext(app: FastifyInstance, deps: ServerDeps): Promise<void> {
  app.register(health, deps);
}

/** Everything but health checks. */
async function limitedContext(app: FastifyInstance, deps: ServerDeps): Promise<void> {
  registerAdmission(app, deps);
  app.register(actionContext, deps);
  app.register(tokenUse, deps);
  app.register(apiContext, deps);
  app.register(accountPages, deps);
  app.register(formPages, deps);
  app.register(oauth, deps);
  app.register(hostedPages, deps);
  app.register(documentContext, deps);
}

/** Documents, and the pages of the console and the reference. */
async function documentContext(app: FastifyInstance, deps: ServerDeps): Promise<void> {
  app.register(documents, deps);
  app.register(webPages, deps);
}

type AdmissionDeps = LoadSheddingOptions & CrossSiteOptions & AccessOptions;

/** Counts and authenticates requests, and rejects them while the process is overloaded. In this order. */
export function registerAdmission(app: FastifyInstance, deps: AdmissionDeps): void {
  app.register(forwarding, deps);
  app.register(credentials, deps);
  app.register(anonymousRateLimits, deps);
  app.register(loadShedding, deps);
  app.register(crossSiteRequests, deps);
  app.register(access, deps);
  app.register(userRateLimits, deps);
  app.register(closedRoutes);
  app.register(recentSignIns);
}

/** JSON in, JSON out. */
async function apiContext(app: FastifyInstance, deps: ServerDeps): Promise<void> {
  app.register(jsonResponses);
  app.register(jsonBodies);
  app.register(knownParameters);
  app.register(idempotentRoutes, deps);

  app.register(accounts, deps);
  app.register(passwords, deps);
  app.register(profile, deps);
  app.register(ownData, deps);
  app.register(passkeys, deps);
  app.register(emailVerifications, deps);
  app.register(tokens, deps);
  app.register(tokenVerification, deps);
  app.register(jsonWebTokens, deps);
  app.register(users, deps);
  app.register(userAdministration, deps);
  app.register(events, deps);
  app.register(webhooks, deps);
  app.register(identityProviders, deps);
  app.register(administration, deps);
  app.register(formFields, deps);
  app.register(storedForms, deps);
  app.register(consoleContext, deps);
}

async function administration(app: FastifyInstance, deps: ServerDeps): Promise<void> {
  app.register(mailMessages, deps);
  app.register(namedCredentials, deps);
  app.register(groups, deps);
  app.register(applications, deps);
  app.register(dashboard, deps);
  app.register(signUps, deps);
  app.register(alerts, deps);
  app.register(operation, deps);
  app.register(branding, deps);
}

/** Only while the console is on. */
async function consoleContext(app: FastifyInstance, deps: ServerDeps): Promise<void> {
  if (deps.console) app.register(consoleSessions, deps);
}
