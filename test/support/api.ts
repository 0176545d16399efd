/** HTTP client of the tests, which validates every response against the checked-in description. */
import { type Dispatcher, request as send } from 'undici';
import { assertDescribed } from './description/description.ts';

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The body as text. */
  readonly text: string;
  /** The parsed body, if it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  readonly body: any;
}

export interface ApiRequest {
  readonly body?: unknown;
  /** Replaces `body`; sent unchanged. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `Authorization: Bearer …`. */
  readonly token?: string;
}

export interface Api {
  readonly url: string;
  request(method: string, path: string, request?: ApiRequest): Promise<ApiResponse>;
  get(path: string, request?: ApiRequest): Promise<ApiResponse>;
  post(path: string, body?: unknown, request?: ApiRequest): Promise<ApiResponse>;
  put(path: string, body?: unknown, request?: ApiRequest): Promise<ApiResponse>;
  patch(path: string, body?: unknown, request?: ApiRequest): Promise<ApiResponse>;
  delete(path: string, request?: ApiRequest): Promise<ApiResponse>;
}

/** Creates a client of the service at `url`, a URL without a path. */
export function createApi(url: string): Api {
  const request: Api['request'] = async (method, path, options = {}) => {
    // The client resolves dot segments, also encoded ones: what is sent decides which operation responds.
    const target = new URL(url + path);
    const response = await send(target, { method: method as Dispatcher.HttpMethod, ...toParts(options) });
    const headers = toHeaders(response.headers);
    const text = await response.body.text();
    const isJson = /[/+]json\b/.test(headers.get('content-type') ?? '');
    const body = isJson && text !== '' ? JSON.parse(text) : undefined;
    const received = { status: response.statusCode, headers, text, body };
    assertDescribed(method, target.pathname, received);
    return received;
  };
  return {
    url,
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, body, options) => request('POST', path, { body, ...options }),
    put: (path, body, options) => request('PUT', path, { body, ...options }),
    patch: (path, body, options) => request('PATCH', path, { body, ...options }),
    delete: (path, options) => request('DELETE', path, options),
  };
}

/** What `fetch` sends as well, which takes twice as long; without compression. */
const FIELDS = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' };

function toParts({ body, raw, headers = {}, token }: ApiRequest) {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return {
    headers: {
      ...FIELDS,
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    },
    body: content ?? null,
  };
}

function toHeaders(fields: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(fields))
    for (const each of [value].flat()) headers.append(name, each);
  return headers;
}

/** Returns the parts of a response that do not differ between two requests at different times. */
export function comparable({ status, text, headers }: ApiResponse) {
  const variable = ['date', 'x-request-id'];
  return { status, text, headers: [...headers].filter(([name]) => !variable.includes(name)) };
}
