/**
 * Fetches from URLs that others choose: from permitted addresses only, without redirects, proxies and cookies, with limits
 * on size and time. Libraries accept it in place of `fetch`.
 */
import type { Agent } from 'undici';
import { createAgent, type PostClientOptions, USER_AGENT } from './post-client.ts';
import { type PostError, toPostError } from './post-result.ts';

const DEADLINE_MS = 10_000;
/** Keys and metadata of the largest providers have less than a tenth of it. */
const MAX_BODY_BYTES = 262_144;
/** Statuses of responses without a body (RFC 9110 section 15). */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

/** A request that had no complete response. */
export class FetchFailed extends Error {
  override name = 'FetchFailed';
  readonly reason: PostError;
  readonly location: string | undefined;

  constructor(
    reason: PostError,
    { cause, location }: { cause?: unknown; location?: string | undefined } = {},
  ) {
    super(`the request failed: ${reason}`, { cause });
    this.reason = reason;
    this.location = location;
  }
}

interface FetchInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export type GuardedFetch = (url: string, init?: FetchInit) => Promise<Response>;

/** Creates the function. It throws FetchFailed. Loads undici for the first request. */
export function createGuardedFetch(options: PostClientOptions): GuardedFetch {
  const { deadlineMs = DEADLINE_MS } = options;
  let loading: Promise<Agent> | null = null;
  return async (url, init = {}) => {
    const deadline = AbortSignal.timeout(deadlineMs);
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
    try {
      loading ??= createAgent({ ...options, deadlineMs });
      return await send(await loading, new URL(url), { ...init, signal });
    } catch (error) {
      if (error instanceof FetchFailed) throw error;
      throw new FetchFailed(deadline.aborted ? 'timeout' : toPostError(error), { cause: error });
    }
  };
}

async function send(
  agent: Agent,
  { origin, pathname, search }: URL,
  { method = 'GET', headers = {}, body, signal }: FetchInit,
): Promise<Response> {
  const response = await agent.request({
    origin,
    path: pathname + search,
    method: method === 'POST' ? 'POST' : 'GET',
    headers: { 'user-agent': USER_AGENT, ...headers, 'accept-encoding': 'identity' },
    body: body == null ? null : String(body),
    signal: signal!,
    // Requests are rare: an idle connection would be closed before the next one.
    reset: true,
  });
  const { statusCode: status } = response;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    // Leaving the loop destroys the stream.
    if (size > MAX_BODY_BYTES) throw new FetchFailed('too_large');
    chunks.push(chunk);
  }
  if (status >= 300 && status < 400)
    throw new FetchFailed('redirect', { location: response.headers.location?.toString() });
  const type = String(response.headers['content-type'] ?? '');
  const content = WITHOUT_BODY.includes(status) ? null : Buffer.concat(chunks);
  return new Response(content, { status, headers: { 'content-type': type } });
}

/** Returns a fetch for documents that follows one redirect within the origin, as to the same path with a slash. */
export function followOnce(fetch: GuardedFetch): GuardedFetch {
  return async (url, init) => {
    try {
      return await fetch(url, init);
    } catch (error) {
      const location = error instanceof FetchFailed ? URL.parse(error.location ?? '', url) : null;
      if (location?.origin !== new URL(url).origin) throw error;
      return fetch(location.href, init);
    }
  };
}
