/** Sessions of the administration console, and requests as its pages send them. */
import assert from 'node:assert/strict';
import { SESSION_COOKIE } from '../../../src/plugins/access/console-request.ts';
import type { Api, ApiRequest, ApiResponse } from '../api.ts';
import { ADMIN_TOKEN } from '../service.ts';

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

/** Returns the cookie that a response sets, as the browser sends it back. */
export function getCookie({ headers }: ApiResponse): string {
  const [cookie = '', ...more] = headers.getSetCookie();
  assert.deepEqual(more, []);
  assert.ok(cookie.startsWith(`${SESSION_COOKIE}=`), cookie);
  return cookie.slice(0, cookie.indexOf(';'));
}
