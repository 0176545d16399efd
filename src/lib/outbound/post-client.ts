/**
 * Sends JSON to URLs that others choose, with undici, which is loaded for the first request: to permitted addresses
 * only, without redirects, proxies and cookies, within one deadline.
 */
import type { Agent, Dispatcher } from 'undici';
import { readVersion } from '../files.ts';
import type { AddressPolicy } from './address-policy.ts';
import {
  createGuardedLookup,
  createResolver,
  guardConnector,
  type ResolveAddresses,
} from './guarded-connector.ts';
import { type KeptResponse, keepHeaders, type PostError, readStart, toPostError } from './post-result.ts';

/** The response, of which the status counts; or what prevented it, with the status if one was received. */
export type PostResult = {
  readonly durationMs: number;
  /** As far as it is kept for people; null if no head of a response was received. */
  readonly response: KeptResponse | null;
} & (
  | {
      readonly error: null;
      readonly status: number;
      /** The first line of the body that is not blank, for people. */
      readonly line: string | null;
      readonly retryAfter: string | null;
    }
  | {
      readonly error: PostError;
      readonly status: number | null;
      readonly line: null;
      readonly retryAfter: null;
    }
);

interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

export interface PostClient {
  /** Never rejects: failures of every kind are results. */
  post(request: PostRequest): Promise<PostResult>;
  close(): Promise<void>;
}

export interface PostClientOptions {
  readonly policy: AddressPolicy;
  /** Resolves names; default: those of `createResolver`. */
  readonly resolve?: ResolveAddresses;
  readonly deadlineMs?: number;
  readonly ca?: string;
}

const DEADLINE_MS = 15_000;
const MAX_HEAD_BYTES = 16_384;
export const USER_AGENT = `Frontdesk/${readVersion()}`;
export const JSON_HEADERS = { 'content-type': 'application/json', 'accept-encoding': 'identity' } as const;

export function createPostClient(options: PostClientOptions): PostClient {
  const { deadlineMs = DEADLINE_MS } = options;
  let loading: Promise<Agent> | null = null;
  return {
    async post(request) {
      const startedAt = performance.now();
      const deadline = AbortSignal.timeout(deadlineMs);
      const signal = AbortSignal.any([request.signal, deadline]);
      let status: number | null = null;
      let response: KeptResponse | null = null;
      const fail = (error: PostError) => ({ error, status, line: null, retryAfter: null });
      const run = async () => {
        loading ??= createAgent(options);
        const { statusCode, headers, body } = await send(await loading, { ...request, signal });
        status = statusCode;
        response = { headers: keepHeaders(headers), body: null, is_cut: false };
        const { line, ...start } = await readStart(body, headers['content-encoding']);
        response = { ...response, ...start };
        if (statusCode >= 300 && statusCode < 400) return fail('redirect');
        const [retryAfter = null] = [headers['retry-after']].flat();
        return { error: null, status: statusCode, line, retryAfter };
      };
      const result = await run().catch((cause) =>
        fail(deadline.aborted && !request.signal.aborted ? 'timeout' : toPostError(cause)),
      );
      return { ...result, response, durationMs: Math.round(performance.now() - startedAt) };
    },
    async close() {
      await (await loading)?.destroy();
    },
  };
}

function send(agent: Agent, { url, headers, body, signal }: PostRequest): Promise<Dispatcher.ResponseData> {
  const { origin, pathname, search } = new URL(url);
  return agent.request({
    origin,
    path: pathname + search,
    method: 'POST',
    body,
    signal,
    headers: { ...headers, ...JSON_HEADERS, 'user-agent': USER_AGENT },
  });
}

/** Creates an agent that connects to permitted addresses only. Loads undici. */
export async function createAgent(options: PostClientOptions): Promise<Agent> {
  const { policy, resolve = createResolver(), deadlineMs = DEADLINE_MS, ca } = options;
  const { Agent, buildConnector } = await import('undici');
  const lookupFor = createGuardedLookup(policy, resolve);
  const common = { timeout: deadlineMs, allowH2: false, autoSelectFamily: true };
  const plain = buildConnector({ ...common, lookup: lookupFor('http:') });
  const tls = buildConnector({
    ...common,
    lookup: lookupFor('https:'),
    // Also where NODE_TLS_REJECT_UNAUTHORIZED is set.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  });
  return new Agent({
    connect: guardConnector(
      (target, callback) => (target.protocol === 'https:' ? tls : plain)(target, callback),
      policy,
    ),
    // As many as there are requests in progress, so that a receiver that hangs delays no other of the same origin.
    connections: null,
    pipelining: 1,
    maxHeaderSize: MAX_HEAD_BYTES,
  });
}
