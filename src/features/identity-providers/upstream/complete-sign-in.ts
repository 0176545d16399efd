/** Completes a sign-in with the response of a provider. */
import { DatabaseUnavailable, type Tx } from '../../../database/database.ts';
import { hashToken } from '../../../lib/secrets/tokens.ts';
import { MINUTE } from '../../../lib/time/clock.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { SignInSession } from '../../sign-in/sessions/sessions.ts';
import type { Issue } from '../../users/accounts/login/log-in.ts';
import type { AnswerDeps } from '../linking/answer-question.ts';
import { mailCode } from '../linking/mailed-codes.ts';
import { type Question, type SignInOutcome, signInWithIdentity } from '../linking/sign-in.ts';
import type { ProviderRow } from '../queries.ts';
import { fetchIdentity, type UpstreamIdentity } from './fetch-identity.ts';
import { type PendingRow, takeRequest, type UpstreamRequestRow, writePending } from './queries.ts';
import type { UpstreamClients, UpstreamDeps } from './upstream-clients.ts';
import { toUpstreamFailure, UpstreamFailure } from './upstream-failure.ts';

/** In which the questions about an identity are to be answered. */
const PENDING_MS = 30 * MINUTE;

export type CompletionDeps = AnswerDeps & UpstreamDeps & { readonly upstreamClients: UpstreamClients };

export interface Completion<T> {
  readonly provider: ProviderRow;
  /** The URL of the callback with its query. */
  readonly url: URL;
  /** The token of the cookie. */
  readonly browserToken: string | undefined;
  /** The session of the browser. */
  readonly session: Pick<SignInSession, 'id' | 'userId'> | undefined;
  readonly clientIp: string;
  readonly issue: Issue<T>;
}

/** Returns what becomes of the sign-in, and where it leads. @throws UpstreamFailure */
export async function completeSignIn<T>(
  deps: CompletionDeps,
  completion: Completion<T>,
): Promise<{ readonly outcome: SignInOutcome<T>; readonly returnTo: string | null }> {
  const { provider, browserToken = '', session, clientIp, issue } = completion;
  const state = completion.url.searchParams.get('state') ?? '';
  const hashes = { state_hash: hashToken(state), browser_hash: hashToken(browserToken) };
  const taken = { ...hashes, provider_id: provider.id, now: deps.clock() };
  // Used up before the provider is asked, so that a response counts once over all nodes.
  const request = await deps.database.transaction((tx) => takeRequest(tx, taken));
  const isOfSession = request?.session_id == null || request.session_id === session?.id;
  if (request === undefined || !isOfSession) throw new UpstreamFailure('request', provider);
  const identity = await readIdentity(deps, completion, { request, state });
  const linkingUser = request.session_id === null ? null : session!.userId;
  const arrival = { provider, identity, isCodeConfirmed: false, linkingUser, clientIp };
  const onQuestion = (tx: Tx, question: Question) => {
    const pending = toPending(identity, request, deps.clock());
    return storeQuestion(tx, pending, question);
  };
  const outcome = await signInWithIdentity(deps, arrival, { issue, onQuestion });
  return { outcome, returnTo: request.return_to };
}

async function readIdentity(
  deps: CompletionDeps,
  { provider, url }: Pick<Completion<unknown>, 'provider' | 'url'>,
  { request, state }: { readonly request: UpstreamRequestRow; readonly state: string },
): Promise<UpstreamIdentity> {
  try {
    const client = await deps.upstreamClients(provider);
    return await fetchIdentity(deps, { provider, client, url, request, state });
  } catch (error) {
    const failure = toUpstreamFailure(error, provider);
    if (failure instanceof UpstreamFailure) await recordFailure(deps, failure);
    throw failure;
  }
}

async function recordFailure({ database, clock }: CompletionDeps, failure: UpstreamFailure): Promise<void> {
  const details = { provider: failure.provider, detail: failure.detail };
  const event = { type: 'login.failed', actor: 'anonymous', outcome: 'failure', details } as const;
  await database
    .transaction((tx) => recordEvent(tx, { ...event, reason: 'identity_provider', now: clock() }))
    .catch((error) => {
      if (!(error instanceof DatabaseUnavailable)) throw error;
    });
}

function toPending(
  { issuer, subject, email, isEmailVerified, name }: UpstreamIdentity,
  { browser_hash, provider_id, return_to }: UpstreamRequestRow,
  now: number,
): PendingRow {
  return {
    ...{ browser_hash, provider_id, issuer, subject, email: email!, name, return_to },
    email_verified: isEmailVerified ? 1 : 0,
    ...{ code_id: null, code_expires_at: null, code_tries: 0, codes: 0 },
    ...{ created_at: now, expires_at: now + PENDING_MS },
  };
}

async function storeQuestion(tx: Tx, pending: PendingRow, question: Question): Promise<void> {
  await writePending(tx, pending);
  if (question === 'confirm_email') await mailCode(tx, pending, pending.created_at);
}
