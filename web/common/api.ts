/** Requests to the JSON API of this service. */
import type { Problem } from './api-types.ts';
import { listErrors, readRetryAfter } from './error-details.ts';

/** Path of the service below its origin, without a trailing slash; a proxy may serve it below a path. */
export const basePath = document.documentElement.dataset.base ?? '';

/** An error response of the API (docs/problems.md), or an error of this page, whose code is not in the catalogue. */
export interface ProblemBody {
  readonly error: string;
  readonly code: string;
  /** Messages by member; as a list where the request asked for RFC 9457. */
  readonly errors?: Readonly<Record<string, readonly string[]>> | readonly PointedError[];
}

/** An error of a request with `Accept: application/problem+json`. */
export type PointedError = NonNullable<Problem['errors']>[number];

/** A request that failed: the service responded with an error, or there was no response. */
export class ApiError extends Error {
  override name = 'ApiError';
  /** 0 without a response. */
  readonly status: number;
  readonly code: string;
  /** Messages by member. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly pointedErrors: readonly PointedError[];
  /** Seconds after which a retry may succeed; null if the service did not say. */
  readonly retryAfter: number | null;

  constructor(status: number, { error, code, errors }: ProblemBody, retryAfter: number | null = null) {
    super(listErrors(error, isList(errors) ? {} : (errors ?? {})));
    this.status = status;
    this.code = code;
    this.errors = isList(errors) ? {} : (errors ?? {});
    this.pointedErrors = isList(errors) ? errors : [];
    this.retryAfter = retryAfter;
  }
}

function isList(errors: ProblemBody['errors']): errors is readonly PointedError[] {
  return Array.isArray(errors);
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface ApiResponse<T> {
  readonly status: number;
  readonly headers: Headers;
  /** The whole body; undefined for 204. */
  readonly body: T;
}

/**
 * Sends a request with the session of the console, if there is one: the header proves to the service that the request
 * comes from one of its own pages. @param path below the base path, with its query
 * @throws ApiError, and AbortError when `signal` is aborted
 */
export async function send<T>(path: string, request: ApiRequest = {}): Promise<ApiResponse<T>> {
  const { status, headers, text } = await open(path, request).then(readBodyText);
  return { status, headers, body: (text === '' ? undefined : parse(text)) as T };
}

/** Sends the same request, and leaves the body of a successful response to the caller. @throws as `send` */
export async function open(path: string, request: ApiRequest = {}): Promise<Response> {
  const response = await fetchFrom(path, request);
  if (response.ok) return response;
  const { status, text } = await readBodyText(response);
  throw new ApiError(
    status,
    toProblemBody(parse(text), status),
    readRetryAfter(response.headers.get('Retry-After'), Date.now()),
  );
}

/** The connection may break in the middle. */
async function readBodyText(response: Response) {
  const { status, headers } = response;
  const text = await response.text().catch((error) => {
    throw isAbort(error) ? error : noResponse();
  });
  return { status, headers, text };
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Returns the error of a request without a complete response. */
export function noResponse(): ApiError {
  const error = navigator.onLine
    ? 'The service did not respond. It may be restarting.'
    : 'This device is offline.';
  return new ApiError(0, { error, code: 'no_response' });
}

async function fetchFrom(path: string, { method = 'GET', body, headers, signal }: ApiRequest) {
  const content = body === undefined ? {} : { 'Content-Type': 'application/json' };
  try {
    return await fetch(basePath + path, {
      method,
      headers: { Accept: 'application/json', 'X-Frontdesk-Console': '1', ...content, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
  } catch (error) {
    throw isAbort(error) ? error : noResponse();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Something else than the service, such as a proxy, may have responded. */
function toProblemBody(body: unknown, status: number): ProblemBody {
  const isProblem = typeof body === 'object' && body !== null && 'error' in body && 'code' in body;
  return isProblem
    ? (body as ProblemBody)
    : { error: `The service responded with status ${status}.`, code: 'unknown' };
}
