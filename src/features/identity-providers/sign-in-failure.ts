/** Sign-ins with a provider that fail. */
import type { DatabaseDeps } from '../../database/database.ts';
import { FetchFailed } from '../../lib/outbound/guarded-fetch.ts';
import { Problem } from '../../problems/problem.ts';
import { recordFailedLogin } from '../people/sign-in/rejected-login.ts';

/** `request`: expired, used, or begun in another browser; `denied`: the person has declined; `rejected`: by what the provider did. */
type FailureKind =
  | 'request'
  | 'denied'
  | 'rejected'
  | 'refuse_disabled'
  | 'refuse_linked_to_other'
  | 'refuse_without_email'
  | 'refuse_closed';

/** A sign-in that ends with a page that says why. */
export class SignInFailure extends Problem {
  readonly kind: FailureKind;
  /** Name of the provider. */
  readonly provider: string;
  /** The part of the response that was not accepted, such as `nonce`. */
  readonly detail: string;
  /** Where the sign-in would have led; null if that is not known. */
  returnTo: string | null = null;

  constructor(kind: FailureKind, provider: string, cause?: unknown) {
    super('sign_in_failed', { cause });
    this.kind = kind;
    this.provider = provider;
    this.detail = cause === undefined ? '' : describeFailure(cause);
  }
}

/** Part of a response that is not accepted. */
export class NotAccepted extends Error {
  override name = 'NotAccepted';
}

/** Codes of RFC 6749, which a hostile provider could replace by a text. */
const ERROR_CODE = /^[\w.-]{1,60}$/;
/** Messages of the library quote the name of what they are about, and no values. */
const NAMED = /"(?!response")([a-z_]{2,30})"/;
const SUBJECT = /\b(signature|key|issuer|JSON)\b/;
const ALGORITHM = /\balg(?:orithm)?\b/;

/** Returns what the provider did wrong: a claim or member, a registered error, or a reason of the transport. */
export function describeFailure(error: unknown): string {
  let detail = 'invalid_response';
  for (let each = error; each instanceof Error; each = each.cause) {
    const { error: registered, message } = each as Error & { readonly error?: string };
    if (each instanceof FetchFailed) return each.reason;
    if (each instanceof NotAccepted) return message;
    if (registered !== undefined) return ERROR_CODE.test(registered) ? registered : 'invalid_error';
    if (ALGORITHM.test(message)) return `alg${readAlgorithm(each.cause)}`;
    detail = (NAMED.exec(message) ?? SUBJECT.exec(message))?.[1] ?? detail;
  }
  return detail;
}

/** Returns the name of the algorithm in the cause of an error of the library, if it looks like one (RFC 7518). */
function readAlgorithm(cause: unknown): string {
  const { alg, header } = (cause ?? {}) as { alg?: unknown; header?: { alg?: unknown } };
  const name = String(alg ?? header?.alg);
  return /^[A-Z][\w-]{1,9}$/.test(name) ? ` ${name}` : '';
}

/** Records a sign-in that has failed. A page that was opened without a provider has begun none. */
export async function recordSignInFailure(deps: DatabaseDeps, failure: SignInFailure): Promise<void> {
  const { provider, detail, kind } = failure;
  if (provider === '') return;
  const details = { provider, detail: detail || kind };
  await recordFailedLogin(deps, { reason: 'identity_provider', details });
}

/** @throws SignInFailure in place of errors of the library and the transport */
export function rethrowAsFailure(error: unknown, { name }: { readonly name: string }): never {
  if (error instanceof Problem) throw error;
  throw new SignInFailure(describeFailure(error) === 'access_denied' ? 'denied' : 'rejected', name, error);
}
