/** Sessions of the administration console, and requests as its pages send them. */
import assert from 'node:assert/strict';
import type { Api, ApiRequest, ApiResponse } from '../api.ts';
import { ADMIN_TOKEN } from '../environment.ts';

export const SESSION_PATH = '/console/session';

/** Headers with which a browser sends the requests of the console. */
export const FROM_CONSOLE = { 'x-frontdesk-console': '1', 'sec-fetch-site': 'same-origin' };

/** A request of the console with the cookie of a session, or without one. */
export function fromConsole(cookie?: string, request: ApiRequest = {}): ApiRequest {
  const headers = { ...FROM_CONSOLE, ...(cookie === undefined ? {} : { cookie }), ...request.headers };
  return { ...request, headers };
}

/** Signs in, and returns the cookie as the browser sends it back. */
export async function signIn({ api }: { readonly api: Api }, adminToken = ADMIN_TOKEN): Promise<string> {
  const response = await api.post(SESSION_PATH, { credential: adminToken }, fromConsole());
  assert.equal(response.status, 201, response.text);
  return getCookie(response);
}

/** Returns what the names of the cookies of a service end with. */
export async function readCookieTag({ api }: { readonly api: Api }): Promise<string> {
  const { headers } = await api.delete(SESSION_PATH, fromConsole());
  return /^__Host-frontdesk-([\w-]{8})=/.exec(headers.getSetCookie()[0]!)![1]!;
}

/** Returns a cookie of the console of a service with this token. */
export const createCookie = async (service: { readonly api: Api }, token: string) =>
  `__Host-frontdesk-${await readCookieTag(service)}=${token}`;

/** Returns the cookie that a response sets, as the browser sends it back. */
export function getCookie({ headers }: ApiResponse): string {
  const [cookie = '', ...more] = headers.getSetCookie();
  assert.deepEqual(more, []);
  assert.match(cookie, /^__Host-frontdesk-[\w-]{8}=/);
  return cookie.slice(0, cookie.indexOf(';'));
}
