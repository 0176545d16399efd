/** Second factors of users for tests. */
import assert from 'node:assert/strict';
import type { TestService } from './service.ts';
import { codeAt } from './totp.ts';
import { register } from './users.ts';

export const TOTP_PATH = '/api/v1/me/totp';

type Person = Awaited<ReturnType<typeof register>>;

/** Switches two-step sign-in on for a registered user, with the present code. */
export async function enrolUser({ api }: TestService, { token, password }: Person, now: number) {
  const begun = await api.post(TOTP_PATH, { current_password: password }, { token });
  assert.equal(begun.status, 200, begun.text);
  const { secret, uri } = begun.body.data as { secret: string; uri: string };
  const code = codeAt(secret, now);
  const confirmed = await api.post(`${TOTP_PATH}/confirm`, { code }, { token });
  assert.equal(confirmed.status, 200, confirmed.text);
  return { appSecret: secret, uri, recoveryCodes: confirmed.body.data.recovery_codes as string[] };
}

/** Registers a user with two-step sign-in. */
export async function registerWithTotp(service: TestService, now: number) {
  const person = await register(service);
  return { ...person, ...(await enrolUser(service, person, now)) };
}

/** Logs in with the password, and returns the challenge of the response. */
export async function getChallenge({ api }: TestService, { email, password }: Person): Promise<string> {
  const { status, body } = await api.post('/api/login', { email, password });
  assert.equal(status, 403);
  assert.equal(body.code, 'second_factor_required');
  return body.challenge;
}

export const ANSWER_PATH = '/api/v1/login/second-factor';
