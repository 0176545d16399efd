/** Dependencies of plugins and features: created once, from the settings and the resources of the process. */
import type { AdminCredentials } from './callers/callers.ts';
import type { RejectionRecorder } from './features/activity/rejection-recorder.ts';
import type { BackupSettings } from './features/backups/status/list-backups.ts';
import { createFindSession } from './features/console-sessions/find-session.ts';
import { createFindCredential } from './features/credentials/credential-caller.ts';
import type { Numbering } from './features/events/numbering/numbering.ts';
import { createGetPublishedForm } from './features/forms/definitions/definition.ts';
import { createSubmissionCounter } from './features/forms/submissions/receive-submission.ts';
import { createUpstreamClients } from './features/identity-providers/upstream/upstream-clients.ts';
import { createMailCodes } from './features/mail/mail-codes.ts';
import type { CheckDeps } from './features/operation/checks/routes.ts';
import type { AccountDeps } from './features/people/sign-in/account-deps.ts';
import { createLimitedLogins, createLoginGuard } from './features/people/sign-in/login-guard.ts';
import { createCodeChallenges } from './features/people/sign-in/request-code.ts';
import { createSignUpProof } from './features/people/sign-in/session-cookie.ts';
import { createSignInSessions } from './features/people/sign-in/sessions.ts';
import { createShownOnce } from './features/people/sign-in/shown-once.ts';
import { createFindToken } from './features/people/tokens/find-token-caller.ts';
import { createKeyRing } from './features/people/tokens/signing-keys/key-ring.ts';
import { createKeySeal } from './features/people/tokens/signing-keys/rotate-keys.ts';
import type { Texts } from './features/texts/texts.ts';
import { createSecretSeal } from './features/webhooks/change-webhook.ts';
import type { Log } from './lib/log/log.ts';
import { type AddressPolicy, createAddressPolicy } from './lib/outbound/address-policy.ts';
import { createGuardedFetch } from './lib/outbound/guarded-fetch.ts';
import { createRedirectPolicy } from './lib/outbound/redirect-policy.ts';
import { createPagination } from './lib/routes/pagination.ts';
import { createCookieTag, createKeyedHash, createSeal, deriveKey } from './lib/secrets/encryption.ts';
import { adminCheck } from './plugins/access/authentication.ts';
import { sessionToken } from './plugins/access/console-request.ts';
import type { Timeouts } from './plugins/fastify-options.ts';
import type { DeniedRequest } from './plugins/problems/error-response.ts';
import { createLimiter, type Limiter } from './plugins/rate-limits/limiter.ts';
import { reportRejections } from './plugins/rate-limits/rate-limits.ts';
import type { RequestObserver } from './plugins/request-metrics.ts';
import { createFailedAttemptLimits } from './rate-limits/failed-attempts.ts';
import { createLimitStores } from './rate-limits/limit-stores.ts';
import type { EffectiveSetting } from './settings/setting-definition.ts';

/** Settings, and the resources that the start has opened. */
export interface AppDeps
  extends CheckDeps,
    Pick<AccountDeps, 'passwords' | 'passwordPolicy' | 'activity' | 'mail' | 'relyingParty'> {
  readonly logger: Log;
  readonly numbering: Numbering;
  readonly rejections: RejectionRecorder;
  readonly adminCredentials: AdminCredentials;
  readonly secretKey: string;
  readonly publicUrl: string;
  readonly redirectUrls: readonly string[];
  readonly jwtAudiences: readonly string[];
  readonly texts: Texts;
  readonly corsOrigins: readonly string[];
  readonly trustProxy: readonly string[];
  readonly webhookAllow: readonly string[];
  /** All settings as they were read at the start. */
  readonly startSettings: readonly EffectiveSetting[];
  readonly backups: BackupSettings;
  readonly loadSheddingMs: number | null;
  readonly isOverloaded?: (() => boolean) | undefined;
  readonly isDraining: () => boolean;
  /** Null if the metrics are off. */
  readonly requestObserver: RequestObserver | null;
  readonly console: boolean;
  readonly adminSecondFactor: 'optional' | 'required';
  readonly timeouts?: Timeouts;
  /** Milliseconds between two authentications of a stream. */
  readonly streamCheckMs?: number | undefined;
}

/** A response has to come before clients and proxies give up. */
const MAX_ERASURE_WAIT_MS = 10_000;

export type ServerDeps = ReturnType<typeof createServerDeps>;

/** Creates the shared dependencies of plugins and features. Uses no database yet. */
export function createServerDeps(deps: AppDeps) {
  const { database, clock, monotonicClock, settings, secretKey } = deps;
  const limitStores = createLimitStores(database, monotonicClock, createKeyedHash(secretKey, 'limits'));
  const limiter = reportRejections(createLimiter(settings, limitStores, clock), deps.rejections);
  const failedAttempts = createFailedAttemptLimits(database, monotonicClock);
  const webhookAddresses = createAddressPolicy(deps.webhookAllow);
  return {
    ...deps,
    ...createSessionDeps(deps),
    ...createUpstreamDeps(deps, webhookAddresses),
    limiter,
    failedAttempts,
    onDenied: (denied: DeniedRequest) => deps.rejections.accessDenied(denied),
    countSubmission: createSubmissionCounter(limitStores),
    getPublishedForm: createGetPublishedForm(database),
    loginGuard: createLoginGuard(settings, failedAttempts, createKeyedHash(secretKey, 'login-guard')),
    limitedLogins: createLimitedLogins(),
    pagination: createPagination(deriveKey(secretKey, 'cursors'), deps.publicUrl),
    isAdmin: adminCheck(deps.adminCredentials),
    findToken: createFindToken(database, clock),
    findCredential: createFindCredential(database, clock),
    totpSecrets: createSeal(secretKey, 'totp-secrets'),
    getPasskeyDecoy: createKeyedHash(secretKey, 'passkey-decoys'),
    countWrongCredential: createWrongCredentialCounter(limiter),
    webhookAddresses,
    webhookSecrets: createSecretSeal(secretKey),
    keyRing: createKeyRing({
      ...{ database, clock, monotonicClock, keySeal: createKeySeal(secretKey) },
      isEnabled: deps.jwtAudiences.length > 0,
    }),
    maxErasureWaitMs: MAX_ERASURE_WAIT_MS,
    allowRedirect: createAllowRedirect(deps),
  };
}

function createSessionDeps(deps: AppDeps) {
  const { secretKey, publicUrl } = deps;
  const cookieTag = createCookieTag(secretKey, publicUrl);
  const signInSessions = createSignInSessions({ ...deps, cookieTag });
  const findSessionDeps = { ...deps, cookieTag, signInSessions, sessionToken };
  return {
    cookieTag,
    signInSessions,
    signUpProof: createSignUpProof({ ...deps, cookieTag }),
    getMailCode: createMailCodes(secretKey),
    getCodeChallenge: createCodeChallenges(secretKey),
    findConsoleSession: deps.console ? createFindSession(findSessionDeps) : null,
    shownOnce: createShownOnce({ ...deps, seal: createSeal(secretKey, 'shown-once') }),
  };
}

function createUpstreamDeps(
  { clock, secretKey }: Pick<AppDeps, 'clock' | 'secretKey'>,
  policy: AddressPolicy,
) {
  const upstreamFetch = createGuardedFetch({ policy });
  const providerSecrets = createSeal(secretKey, 'identity-provider-secrets');
  const upstreamClients = createUpstreamClients({ clock, upstreamFetch, providerSecrets });
  return { upstreamFetch, providerSecrets, upstreamClients };
}

/** The whole origin of the application is trusted, of others what the operator lists. */
function createAllowRedirect({ settings, redirectUrls }: Pick<AppDeps, 'settings' | 'redirectUrls'>) {
  const others = redirectUrls.map((url) => new URL(url));
  return createRedirectPolicy(() => {
    const { appUrl } = settings.current;
    return appUrl === null ? others : [new URL(new URL(appUrl).origin), ...others];
  });
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
