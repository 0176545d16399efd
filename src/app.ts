/** Composition root: lists every feature on one line, in the order in which they depend on each other. */

import type { Database } from './database/database.ts';
import { accountPageRoutes } from './features/account-pages/routes.ts';
import { accountAdministrationRoutes } from './features/accounts/administration-routes.ts';
import { emailVerificationRoutes } from './features/accounts/email-verification-routes.ts';
import { erasureSteps } from './features/accounts/erasure-steps.ts';
import { createLoginGuard, type LoginGuard } from './features/accounts/login-guard.ts';
import { passwordRoutes } from './features/accounts/password-routes.ts';
import { profileRoutes } from './features/accounts/profile-routes.ts';
import { accountRoutes } from './features/accounts/routes.ts';
import { securityEventRoutes } from './features/accounts/security-event-routes.ts';
import type { ActivityRecorder } from './features/activity/recorder.ts';
import type { CheckedSettings } from './features/checks/check-node.ts';
import { checkRoutes } from './features/checks/routes.ts';
import type { EffectiveSetting } from './features/configuration/effective-setting.ts';
import { configurationRoutes } from './features/configuration/routes.ts';
import { createFindSession } from './features/console-sessions/find-session.ts';
import { consoleSessionRoutes } from './features/console-sessions/routes.ts';
import { dashboardRoutes } from './features/dashboard/routes.ts';
import { describeApi } from './features/documents/describe-api.ts';
import { createNotFoundPage } from './features/documents/not-found-page.ts';
import { documentRoutes } from './features/documents/routes.ts';
import { formFieldRoutes } from './features/form-fields/routes.ts';
import { healthRoutes } from './features/health/routes.ts';
import type { MailSettings } from './features/mail/settings.ts';
import { statusRoutes } from './features/status/routes.ts';
import { tokenAdministrationRoutes } from './features/tokens/administration-routes.ts';
import { findTokenCaller } from './features/tokens/find-token-caller.ts';
import { tokenRoutes } from './features/tokens/routes.ts';
import { tokenSchema } from './features/tokens/schemas.ts';
import { userAdministrationRoutes } from './features/users/administration-routes.ts';
import { exportRoutes } from './features/users/export-users/routes.ts';
import type { PasswordPolicy } from './features/users/password-policy.ts';
import { userRoutes } from './features/users/routes.ts';
import { userSchema } from './features/users/schemas.ts';
import { WEB_DIRECTORIES } from './features/web-assets/assets.ts';
import { webPageRoutes } from './features/web-pages/routes.ts';
import { createIdempotency } from './http/idempotency/idempotency.ts';
import { createFailedAttemptLimits } from './http/rate-limits/failed-attempts.ts';
import { createLimitStores } from './http/rate-limits/limit-stores.ts';
import { createLimiter, type Limiter } from './http/rate-limits/limiter.ts';
import type { Limits } from './http/rate-limits/limits.ts';
import { type AdminCredentials, adminCheck, type IsAdmin } from './http/request/authentication.ts';
import { createPagination } from './http/request/pagination.ts';
import type { Route } from './http/route.ts';
import { createServer, type HttpServer } from './http/server/server.ts';
import type { Clock, MonotonicClock } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import type { Passwords } from './lib/passwords.ts';
import { deriveKey, keyedHash } from './lib/secret-key.ts';

export interface AppDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  /** Epoch milliseconds of `clock`. */
  readonly startedAt: number;
  readonly logger: Log;
  readonly passwords: Passwords;
  readonly passwordPolicy: PasswordPolicy;
  readonly activity: ActivityRecorder;
  readonly adminCredentials: AdminCredentials;
  readonly secretKey: string;
  readonly publicUrl: string;
  readonly mail: MailSettings;
  readonly corsOrigins: readonly string[];
  readonly trustProxy: readonly string[];
  readonly registration: 'open' | 'closed';
  readonly usersCreate: 'open' | 'admin';
  readonly maxUnclaimedUsers: number | null;
  readonly tokenLifetimeSeconds: number;
  readonly requireVerifiedEmail: boolean;
  readonly limits: Limits;
  readonly settings: readonly EffectiveSetting[];
  readonly checkedSettings: CheckedSettings;
  readonly loadSheddingMs: number | null;
  readonly isDraining: () => boolean;
  /** Whether the administration console is served. */
  readonly console: boolean;
}

export interface RouteTableDeps extends AppDeps {
  readonly isAdmin: IsAdmin;
  readonly limiter: Limiter;
}

/** Creates the server with all features. It does not listen yet. */
export function buildApp(deps: AppDeps): HttpServer {
  const { database, clock, activity, limits } = deps;
  const limitStores = createLimitStores(database, deps.monotonicClock, keyedHash(deps.secretKey, 'limits'));
  const isAdmin = adminCheck(deps.adminCredentials);
  const limiter = createLimiter(limits, limitStores, clock);
  return createServer(routeTable({ ...deps, isAdmin, limiter }), {
    ...deps,
    isAdmin,
    limiter,
    findConsoleSession: deps.console ? createFindSession(deps) : null,
    findToken: (tokenHash) => findTokenCaller(database, tokenHash, clock()),
    runIdempotently: createIdempotency(deps),
    sharedSchemas: SHARED_SCHEMAS,
    filesDirectory: WEB_DIRECTORIES.bundles,
    renderNotFound: createNotFoundPage(deps),
    onResponse: (caller, status) => {
      if (caller.kind !== 'user' || status >= 400) return;
      activity.tokenUsed(caller.tokenHash, caller.userId, caller.tokenLastUsedAt);
    },
  });
}

const SHARED_SCHEMAS = [userSchema, tokenSchema];

/** Returns every route of the service. Creating the table does not use the database. */
export function routeTable(deps: RouteTableDeps): Route[] {
  const failedAttempts = createFailedAttemptLimits(deps.database, deps.monotonicClock);
  const loginGuard = createLoginGuard(deps.limits, failedAttempts, keyedHash(deps.secretKey, 'login-guard'));
  const api = apiRoutes({ ...deps, loginGuard });
  const { publicUrl, mail } = deps;
  const { serviceName } = mail;
  const openApi = () => describeApi({ routes: api, schemas: SHARED_SCHEMAS, publicUrl });
  return [
    ...api,
    ...documentRoutes({ publicUrl, openApi, console: deps.console }),
    ...accountPageRoutes({ ...deps, loginGuard, serviceName }),
    ...webPageRoutes(deps),
    ...sessionRoutes(deps),
  ];
}

/** A response has to come before the connection is closed, which happens after 15 seconds without any traffic. */
const erasure = { ...erasureSteps, maxErasureWaitMs: 10_000 };

/** Returns the routes of the API, which openapi.json describes. */
function apiRoutes(deps: RouteTableDeps & { readonly loginGuard: LoginGuard }): Route[] {
  const pagination = createPagination(deriveKey(deps.secretKey, 'cursors'));
  return [
    ...accountRoutes(deps),
    ...passwordRoutes(deps),
    ...profileRoutes({ ...deps, ...erasure }),
    ...emailVerificationRoutes(deps),
    ...tokenRoutes(deps),
    ...userRoutes({ ...deps, pagination }),
    ...userAdministrationRoutes({ ...deps, ...erasure }),
    ...exportRoutes(deps),
    ...tokenAdministrationRoutes(deps),
    ...accountAdministrationRoutes(deps),
    ...securityEventRoutes(deps),
    ...dashboardRoutes(deps),
    ...statusRoutes(deps),
    ...configurationRoutes(deps),
    ...checkRoutes(deps),
    ...formFieldRoutes(),
    ...healthRoutes(deps),
  ];
}

function sessionRoutes(deps: RouteTableDeps): Route[] {
  if (!deps.console) return [];
  return consoleSessionRoutes({ ...deps, countWrongCredential: wrongCredentialCounter(deps) });
}

/** Returns the function that counts wrong administrator credentials of requests that have them in the body. */
function wrongCredentialCounter({ limiter }: RouteTableDeps) {
  const sink = { setLimitHeaders: () => {} };
  const route = { access: 'admin', method: 'POST' } as const;
  return (clientIp: string) =>
    limiter.credentialRejected({ route, clientIp, hasCredential: true }, 'admin', sink);
}
