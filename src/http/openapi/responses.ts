/** What an operation can answer: what its entry names, and every refusal that it can give. */
import { catalogue, type ProblemCode } from '../../problems.ts';
import type { ResponseDescription, Route } from '../route.ts';
import { problemsOf } from '../route-problems.ts';
import { clean, type Json, ref } from './json.ts';

export function successes(route: Route): Json {
  const entries = Object.entries(route.responses);
  return Object.fromEntries(entries.map(([status, response]) => [status, success(route, response)]));
}

const DEFAULT_HEADERS = { 'X-Request-Id': 'The id of this request, as the log of the service has it.' };
const LIMIT_HEADERS = {
  'RateLimit-Policy': 'The limits that the request was counted under: q requests in w seconds.',
  RateLimit: 'What is left of them: r requests, the next one more in t seconds.',
  'X-RateLimit-Limit': 'The limit with the least left.',
  'X-RateLimit-Remaining': 'Requests left of it.',
  'X-RateLimit-Reset': 'When all of it is back, in epoch seconds.',
};

/** What is counted for the administrator is not told. */
function limitHeaders({ limits, access }: Route): Readonly<Record<string, string>> {
  return limits === 'none' || access === 'admin' ? {} : LIMIT_HEADERS;
}

const REPLAY_HEADER = {
  'Idempotent-Replayed': '`true` when this is the stored answer to an earlier request.',
};

function success(route: Route, response: ResponseDescription): Json {
  const mediaType = route.mediaType ?? 'application/json';
  const content = response.schema && {
    [mediaType]: { schema: clean(response.schema), ...examples(response.examples) },
  };
  return {
    description: response.description,
    headers: headerObjects({
      ...DEFAULT_HEADERS,
      ...limitHeaders(route),
      ...(route.idempotent ? REPLAY_HEADER : {}),
      ...response.headers,
    }),
    ...(content === undefined ? {} : { content }),
  };
}

function examples(values: Readonly<Record<string, unknown>> | undefined): Json {
  if (values === undefined) return {};
  return { examples: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])) };
}

function headerObjects(headers: Readonly<Record<string, string>>): Json {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}

/** One response per status; its examples are named by the codes that can come with it. */
export function errorResponses(route: Route): Json {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of problemsOf(route)) {
    const { status } = catalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const sorted = [...byStatus].sort(([one], [other]) => one - other);
  const described = sorted.filter(([status]) => !(status in route.responses));
  return Object.fromEntries(
    described.map(([status, codes]) => [status, errorResponse(route, status, codes)]),
  );
}

const RETRY = { 'Retry-After': 'Seconds to wait.' };
const CLOSE = { Connection: '`close`: the rest of the request is not read.' };
const ERROR_RESPONSE_HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'What credential is asked for (RFC 6750).' },
  408: CLOSE,
  413: CLOSE,
  415: {
    Accept: 'The media type that is read, if another one was sent.',
    'Accept-Encoding': '`identity`, if the body was encoded.',
  },
  429: RETRY,
  431: CLOSE,
  503: RETRY,
};
const KEY_HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  409: { 'Retry-After': 'Seconds to wait, while the request with this key is under way.' },
  422: { Link: 'What such a key means (`rel="describedby"`).' },
};
/** Refused by the parser: nothing is counted, and nothing can be negotiated. */
const UNREAD: readonly number[] = [408, 431];

function errorResponse(route: Route, status: number, codes: readonly ProblemCode[]): Json {
  const bodies = codes.map((code) => [code, { value: exampleOf(code) }]);
  const isUnread = UNREAD.includes(status);
  const asProblem = isUnread ? {} : { 'application/problem+json': { schema: ref('Problem') } };
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: headerObjects({
      ...DEFAULT_HEADERS,
      ...(isUnread ? {} : limitHeaders(route)),
      ...(route.idempotent ? KEY_HEADERS[status] : {}),
      ...ERROR_RESPONSE_HEADERS[status],
    }),
    content: {
      'application/json': { schema: ref('Error'), examples: Object.fromEntries(bodies) },
      ...asProblem,
    },
  };
}

function exampleOf(code: ProblemCode): Json {
  const { status, text, rendering } = catalogue[code];
  if (rendering === 'protocol') return { statusCode: status, code, error: text, message: text };
  return { error: text, code, ...(rendering === 'message' ? { message: text } : {}) };
}
