/** People with a role, who are signed in to the console. */
import assert from 'node:assert/strict';
import type { ApiRequest } from './api.ts';
import { fromConsole } from './browser/console-session.ts';
import { admin, newUserData, type TestService } from './service.ts';
import { createBrowser } from './upstream/sign-in.ts';
import { markEmailVerified } from './users.ts';

export type Administrator = Awaited<ReturnType<typeof createAdministrator>>;

/** Creates a user with this role (null: none) and a password, as the first owner does. */
export async function createAdministrator({ api }: TestService, role: string | null) {
  const { name, email, password } = newUserData();
  const body = { name, email, password, role };
  const response = await api.post('/api/v1/users', body, admin);
  assert.equal(response.status, 201, response.text);
  const { id } = response.body.data as { readonly id: string };
  return { name, email, password, id, path: `/api/v1/users/${id}` };
}

/** Signs a person in with the password, and returns the cookie. */
export async function signInPerson(
  service: TestService,
  { email, password }: Pick<Administrator, 'email' | 'password'>,
): Promise<string> {
  const browser = createBrowser(service);
  const path = '/sign-in?return_to=/console';
  const { status, headers, text } = await browser.submit(path, { email, current_password: password });
  assert.deepEqual([status, headers.get('location')], [303, '/console'], text);
  return [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** Creates a person with this role, who is signed in. `send` sends a request of the console. */
export async function signInAs(service: TestService, role: string | null) {
  const person = await createAdministrator(service, role);
  await markEmailVerified(service, person.id);
  const cookie = await signInPerson(service, person);
  const send = (method: string, path: string, request: ApiRequest = {}) =>
    service.api.request(method, path, fromConsole(cookie, request));
  return { ...person, cookie, send };
}

/** Changes the role of a user, as `send` does it. */
export const changeRole = (
  send: (method: string, path: string, request: ApiRequest) => ReturnType<TestService['api']['request']>,
  { path }: Pick<Administrator, 'path'>,
  role: string | null,
) => send('PATCH', path, { body: { role }, headers: { 'if-match': '*' } });
