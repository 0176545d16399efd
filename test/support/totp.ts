/** Second factors of named credentials for tests. */
import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import type { Api, ApiResponse } from './api.ts';
import { fromConsole, getCookie, SESSION_PATH, signIn } from './browser/console-session.ts';
import { createCredential } from './credentials.ts';

export const TOTP_PATH = '/console/totp';

/** Time in which an app shows the same code. */
export const STEP_MS = 30_000;

/** Returns the code that an app with this secret shows at a time in epoch milliseconds. */
export function codeAt(secret: string, now: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now });
}

/** Returns a code of the right length that is wrong around this time. */
export function wrongCodeAt(secret: string, now: number): string {
  const right = [-1, 0, 1].map((step) => codeAt(secret, now + step * STEP_MS));
  return ['000000', '000001', '000002', '000003'].find((code) => !right.includes(code))!;
}

interface Service {
  readonly api: Api;
}

/** Switches two-step sign-in on for the session of this cookie, with the present code. */
export async function enrol({ api }: Service, cookie: string, now: number) {
  const begun = await api.post(`${TOTP_PATH}/secret`, undefined, fromConsole(cookie));
  assert.equal(begun.status, 200, begun.text);
  const { secret, uri } = begun.body.data as { secret: string; uri: string };
  const confirmed = await api.post(TOTP_PATH, { code: codeAt(secret, now) }, fromConsole(cookie));
  assert.equal(confirmed.status, 200, confirmed.text);
  return { appSecret: secret, uri, recoveryCodes: confirmed.body.data.recovery_codes as string[] };
}

/** Creates a credential with two-step sign-in, and returns it with the session that has switched it on. */
export async function createTotpCredential(
  service: Service,
  now: number,
  {
    scopes = ['users:read'],
    ...settings
  }: { readonly scopes?: readonly string[]; readonly name?: string } = {},
) {
  const credential = await createCredential(service, scopes, settings);
  const cookie = await signIn(service, credential.secret);
  return { ...credential, cookie, ...(await enrol(service, cookie, now)) };
}

/** Signs in with a credential and a code; undefined: without one. */
export function signInWithCode(
  { api }: Service,
  credential: string,
  code: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiResponse> {
  return api.post(SESSION_PATH, { credential, code }, fromConsole(undefined, { headers }));
}

/** Returns the cookie of a sign-in that has succeeded. */
export function getSessionCookie(response: ApiResponse): string {
  assert.equal(response.status, 201, response.text);
  return getCookie(response);
}
