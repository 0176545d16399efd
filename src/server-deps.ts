/** Dependencies of plugins and features: created once, from the settings and the resources of the process. */

import type { AdminCredentials } from './callers/admin-credentials.ts';
import type { Database } from './database/database.ts';
import { createLimitedLogins } from './features/accounts/login/limited-logins.ts';
import { createLoginGuard } from './features/accounts/login/login-guard.ts';
import type { PasswordPolicy } from './features/accounts/passwords/password-policy.ts';
import type { ActivityRecorder } from './features/activity/recorder.ts';
import { createFindSession } from './features/console-sessions/find-session.ts';
import type { Numbering } from './features/events/numbering/numbering.ts';
import type { MailSettings } from './features/mail/settings.ts';
import type { CheckedSettings } from './features/operation/checks/check-node.ts';
import type { EffectiveSetting } from './features/operation/configuration/effective-setting.ts';
import { findTokenCaller } from './features/tokens/find-token-caller.ts';
import { createSecretSeal } from './features/webhooks/secrets.ts';
import type { Log } from './lib/log/log.ts';
import type { StoredAddress } from './lib/network.ts';
import { createAddressPolicy } from './lib/outbound/address-policy.ts';
import type { Passwords } from './lib/passwords/passwords.ts';
import { createPagination } from './lib/routes/pagination.ts';
import { deriveKey, keyedHash } from './lib/secrets/secret-key.ts';
import type { Clock, MonotonicClock } from './lib/time/clock.ts';
import { adminCheck } from './plugins/access/authentication.ts';
import type { Timeouts } from './plugins/connections/node-server.ts';
import { createLimiter, type Limiter } from './plugins/rate-limits/limiter.ts';
import { createFailedAttemptLimits } from './rate-limits/failed-attempts.ts';
import { createLimitStores } from './rate-limits/limit-stores.ts';
import type { Limits } from './rate-limits/limits.ts';

/** Settings, and the resources that the start has opened. */
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
  readonly numbering: Numbering;
  readonly eventsAddress: StoredAddress;
  readonly adminCredentials: AdminCredentials;
  readonly secretKey: string;
  readonly publicUrl: string;
  readonly mail: MailSettings;
  readonly corsOrigins: readonly string[];
  readonly trustProxy: readonly string[];
  readonly webhookAllow: readonly string[];
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
  readonly timeouts?: Timeouts;
  /** Milliseconds between two authentications of a stream. */
  readonly streamCheckMs?: number | undefined;
}

/** A response has to come before the connection is closed, which happens after 15 seconds without any traffic. */
const MAX_ERASURE_WAIT_MS = 10_000;

export type ServerDeps = ReturnType<typeof createServerDeps>;

/** Creates what plugins and features share. Uses no database yet. */
export function createServerDeps(deps: AppDeps) {
  const { database, clock, monotonicClock, limits, secretKey } = deps;
  const limitStores = createLimitStores(database, monotonicClock, keyedHash(secretKey, 'limits'));
  const limiter = createLimiter(limits, limitStores, clock);
  const failedAttempts = createFailedAttemptLimits(database, monotonicClock);
  return {
    ...deps,
    limiter,
    loginGuard: createLoginGuard(limits, failedAttempts, keyedHash(secretKey, 'login-guard')),
    limitedLogins: createLimitedLogins(),
    pagination: createPagination(deriveKey(secretKey, 'cursors')),
    isAdmin: adminCheck(deps.adminCredentials),
    findToken: (tokenHash: string) => findTokenCaller(database, tokenHash, clock()),
    findConsoleSession: deps.console ? createFindSession(deps) : null,
    countWrongCredential: createWrongCredentialCounter(limiter),
    webhookAddresses: createAddressPolicy(deps.webhookAllow),
    webhookSecrets: createSecretSeal(secretKey),
    maxErasureWaitMs: MAX_ERASURE_WAIT_MS,
  };
}

/** Returns the function that counts wrong administrator credentials of requests that have them in the body. */
function createWrongCredentialCounter(limiter: Limiter) {
  const sink = { setLimitHeaders: () => {} };
  return (clientIp: string) => {
    const route = { access: 'admin', method: 'POST' } as const;
    const request = { route, clientIp, hasCredential: true };
    return limiter.credentialRejected(request, 'admin', sink);
  };
}
