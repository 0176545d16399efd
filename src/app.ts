/** The table of contents: every feature on one line, in the order in which they build on each other. */
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { Database } from './database/database.ts';
import { createLoginGuard } from './features/accounts/login-guard.ts';
import { accountRoutes } from './features/accounts/routes.ts';
import type { ActivityRecorder } from './features/activity/recorder.ts';
import { dashboardRoutes } from './features/dashboard/routes.ts';
import { describeApi } from './features/documents/describe-api.ts';
import { documentRoutes } from './features/documents/routes.ts';
import { formFieldRoutes } from './features/form-fields/routes.ts';
import { healthRoutes } from './features/health/routes.ts';
import { findTokenCaller } from './features/tokens/find-token-caller.ts';
import { deleteTokensOfUser } from './features/tokens/queries.ts';
import { tokenRoutes } from './features/tokens/routes.ts';
import { tokenSchema } from './features/tokens/schemas.ts';
import { userAdministrationRoutes } from './features/users/administration-routes.ts';
import type { PasswordPolicy } from './features/users/password-policy.ts';
import { userRoutes } from './features/users/routes.ts';
import { userSchema } from './features/users/schemas.ts';
import { createIdempotency } from './http/idempotency/idempotency.ts';
import { createFailedAttemptLimits } from './http/rate-limits/failed-attempts.ts';
import { createLimitStores } from './http/rate-limits/limit-stores.ts';
import { createLimiter } from './http/rate-limits/limiter.ts';
import type { Limits } from './http/rate-limits/limits.ts';
import { adminCheck } from './http/request/authentication.ts';
import { createPagination } from './http/request/pagination.ts';
import type { Route } from './http/route.ts';
import { createServer } from './http/server/server.ts';
import type { Clock } from './lib/clock.ts';
import type { Passwords } from './lib/passwords.ts';
import { deriveKey, keyedHash } from './lib/secret-key.ts';

export interface AppDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly passwords: Passwords;
  readonly passwordPolicy: PasswordPolicy;
  readonly activity: ActivityRecorder;
  readonly adminTokens: readonly string[];
  readonly secretKey: string;
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
  readonly trustProxy: readonly string[];
  readonly registration: 'open' | 'closed';
  readonly usersCreate: 'open' | 'admin';
  readonly tokenLifetimeSeconds: number;
  readonly limits: Limits;
  readonly isOverloaded: () => boolean;
  readonly isDraining: () => boolean;
}

/** Gives the server of all of it, which does not listen yet. */
export function buildApp(deps: AppDeps): Server {
  const { database, clock, activity, limits } = deps;
  return createServer(routeTable(deps), {
    ...deps,
    isAdmin: adminCheck(deps.adminTokens),
    findToken: (tokenHash) => findTokenCaller(database, tokenHash, clock()),
    limiter: createLimiter(limits, createLimitStores(database, clock, keyedHash(deps.secretKey, 'limits'))),
    runIdempotently: createIdempotency(deps),
    sharedSchemas: SHARED_SCHEMAS,
    onAnswered: (caller, status) => {
      if (caller.kind !== 'user' || status >= 400) return;
      activity.tokenUsed(caller.tokenHash, caller.userId, caller.tokenLastUsedAt);
    },
  });
}

const SHARED_SCHEMAS = [userSchema, tokenSchema];

/** Everything that the service answers to; making it asks nothing of the database. */
export function routeTable(deps: AppDeps): Route[] {
  const pagination = createPagination(deriveKey(deps.secretKey, 'cursors'));
  const failedAttempts = createFailedAttemptLimits(deps.database, deps.clock);
  const loginGuard = createLoginGuard(deps.limits, failedAttempts, keyedHash(deps.secretKey, 'login-guard'));
  const api = [
    ...accountRoutes({ ...deps, loginGuard }),
    ...tokenRoutes(deps),
    ...userRoutes({ ...deps, pagination }),
    ...userAdministrationRoutes({ ...deps, revokeTokens: deleteTokensOfUser }),
    ...dashboardRoutes(deps),
    ...formFieldRoutes(),
    ...healthRoutes(deps),
  ];
  const { publicUrl } = deps;
  const openApi = () => describeApi({ routes: api, schemas: SHARED_SCHEMAS, publicUrl });
  return [...api, ...documentRoutes({ publicUrl, openApi })];
}
