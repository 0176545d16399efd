/** Sign-ins with a provider that fail. */
import { FetchFailed } from '../../../lib/outbound/guarded-fetch.ts';
import { Problem } from '../../../problems/problem.ts';
import type { ProviderRow } from '../queries.ts';

/** `request`: expired, used, or begun in another browser; `denied`: the person has declined. */
type FailureKind = 'request' | 'denied' | 'rejected';

/** A sign-in that failed, with a page that says why. */
export class UpstreamFailure extends Problem {
  readonly kind: FailureKind;
  /** Name of the provider. */
  readonly provider: string;
  /** The part of the response that was not accepted, such as `nonce`. */
  readonly detail: string;

  constructor(kind: FailureKind, { name }: Pick<ProviderRow, 'name'>, cause?: unknown) {
    super('sign_in_failed', { cause });
    this.kind = kind;
    this.provider = name;
    this.detail = cause === undefined ? '' : describeFailure(cause);
  }
}

/** Part of a response that is not accepted. */
export class NotAccepted extends Error {
  override name = 'NotAccepted';
}

/** Codes of RFC 6749, which a hostile provider could replace by a text. */
const ERROR_CODE = /^[\w.-]{1,60}$/;

interface LibraryError extends Error {
  readonly error?: string;
}

/** Returns what the provider did wrong: a claim or member, a registered error, or a reason of the transport. */
export function describeFailure(error: unknown): string {
  let detail = 'invalid_response';
  for (let each = error; each instanceof Error; each = each.cause) {
    const { error: registered, message } = each as LibraryError;
    if (each instanceof FetchFailed) return each.reason;
    if (each instanceof NotAccepted) return message;
    if (registered !== undefined) return ERROR_CODE.test(registered) ? registered : 'invalid_error';
    // Messages of the library quote the name of what they are about, and no values.
    detail = (NAMED.exec(message) ?? SUBJECT.exec(message))?.[1] ?? detail;
  }
  return detail;
}

const NAMED = /"(?!response")([a-z_]{2,30})"/;
const SUBJECT = /\b(signature|key|issuer|JSON)\b/;

export function toUpstreamFailure(error: unknown, provider: ProviderRow): unknown {
  if (error instanceof Problem) return error;
  const isDenied = describeFailure(error) === 'access_denied';
  return new UpstreamFailure(isDenied ? 'denied' : 'rejected', provider, error);
}
