/** Applications, and people who sign in to them, for tests. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { SCOPES } from '../../src/callers/callers.ts';
import type { Admitted } from '../../src/features/people/sign-in/gate.ts';
import { createSignInSessions } from '../../src/features/people/sign-in/sessions.ts';
import { findUser } from '../../src/features/users/records/queries.ts';
import type { Clock } from '../../src/lib/time.ts';
import { readCookieTag } from './browser/console-session.ts';
import { admin, type TestService } from './service.ts';
import { insertTestUser } from './users.ts';

/** Settings of services whose tests sign many people in to applications. */
export const WITHOUT_LIMITS = {
  RATE_LIMIT_LOGIN: 'off',
  RATE_LIMIT_DOCUMENTS: 'off',
  RATE_LIMIT_TOKEN_CREATE: 'off',
};
export const REDIRECT_URI = 'https://app.example.com/callback';
export const VERIFIER = 'v'.repeat(43);
export const CHALLENGE = hash('sha256', VERIFIER, 'base64url');

export interface TestApplication {
  readonly id: string;
  readonly client_secret: string | null;
}

let created = 0;

export async function createApplication(
  { api }: Pick<TestService, 'api'>,
  members: object = {},
): Promise<TestApplication> {
  const name = `Application ${++created}`;
  const body = { name, kind: 'web', redirect_uris: [REDIRECT_URI], ...members };
  const response = await api.post('/api/v1/applications', body, admin);
  assert.equal(response.status, 201, response.text);
  return response.body.data;
}

/** Starts a sign-in session of a new user, as the pages do; returns the headers of the browser. */
export async function signIn(
  { api, service: { database } }: TestService,
  {
    clock = Date.now,
    userId,
    headers = {},
    amr = ['pwd'],
  }: { clock?: Clock; userId?: string; headers?: object; amr?: Admitted['amr'] } = {},
) {
  const id = userId ?? (await insertTestUser(database, { emailVerifiedAt: Date.now() })).id;
  const user = (await findUser(database, id))!;
  const cookieTag = await readCookieTag({ api });
  const sessions = createSignInSessions({ database, clock, publicUrl: '', cookieTag });
  const { host } = new URL(api.url);
  const admitted = { user, amr, authenticatedAt: clock() };
  const { session, cookie } = await database.transaction((tx) =>
    sessions.start(tx, admitted, { headers: { host, ...headers }, url: '/sign-in', body: undefined }),
  );
  return { user, session, headers: { cookie: cookie.split(';')[0]! } };
}

/** Returns the parameters of a valid authorization request; undefined removes one. */
export function authorization(
  application: TestApplication,
  changes: Readonly<Record<string, string | undefined>> = {},
) {
  const parameters = {
    client_id: application.id,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid email profile self:read tokens:manage',
    state: 'the state',
    nonce: 'the nonce',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...changes,
  };
  const present = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return new URLSearchParams(present).toString();
}

/** Requests authorization, and returns the response with the query of its redirect. */
export async function authorize({ api }: TestService, query: string, headers: Record<string, string> = {}) {
  const response = await api.get(`/oauth/authorize?${query}`, { headers });
  const location = response.headers.get('location');
  return { ...response, location, result: location === null ? {} : readQuery(location) };
}

export const readQuery = (url: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(url.slice(url.indexOf('?'))));

/** Sends a form of an application. */
export function postForm(
  { api }: Pick<TestService, 'api'>,
  path: string,
  members: Readonly<Record<string, string | undefined>>,
  headers: Readonly<Record<string, string>> = {},
) {
  const present = Object.entries(members).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const raw = new URLSearchParams(present).toString();
  return api.request('POST', path, {
    raw,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

/** Exchanges a code by `client_secret_post`, or without a secret. */
export function exchange(
  service: Pick<TestService, 'api'>,
  application: TestApplication,
  changes: Readonly<Record<string, string | undefined>>,
) {
  return postForm(service, '/oauth/token', {
    grant_type: 'authorization_code',
    redirect_uri: REDIRECT_URI,
    code_verifier: VERIFIER,
    client_id: application.id,
    client_secret: application.client_secret ?? undefined,
    ...changes,
  });
}

/** Signs a person in to an application with refresh tokens, and returns both with its tokens. */
export async function signInOffline(
  service: TestService,
  {
    members = {},
    ...options
  }: Parameters<typeof signIn>[1] & {
    readonly members?: object;
    readonly application?: TestApplication;
  } = {},
) {
  const application =
    options.application ?? (await createApplication(service, { refresh: true, scopes: SCOPES, ...members }));
  const person = await signIn(service, options);
  const scope = `openid email offline_access ${SCOPES.join(' ')}`;
  const { code } = (await authorize(service, authorization(application, { scope }), person.headers)).result;
  const { status, body } = await exchange(service, application, { code });
  assert.equal(status, 200, JSON.stringify(body));
  return { ...person, application, code: code!, body, access: body.access_token, token: body.refresh_token };
}

/** Uses a refresh token. */
export function refresh(
  service: Pick<TestService, 'api'>,
  { application, token }: { readonly application: TestApplication; readonly token: string },
  changes: Readonly<Record<string, string | undefined>> = {},
) {
  return postForm(service, '/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: application.id,
    client_secret: application.client_secret ?? undefined,
    ...changes,
  });
}
