/**
 * Registers a user, reads it and logs out, with a client whose types are those of the description. Start it with
 * `npm start`; the service is at FRONTDESK_URL, by default http://127.0.0.1:3000.
 */
import { pathToFileURL } from 'node:url';
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.d.ts';

export type ErrorCode = components['schemas']['ErrorCode'];
export type Registration = components['schemas']['RegisterRequest'];

/** An error response: programs read the code, people the message. */
export class FrontdeskError extends Error {
  readonly code: ErrorCode;

  constructor({ code, error }: { code: ErrorCode; error: string }) {
    super(error);
    this.code = code;
  }
}

/** Registers the user and returns the email that the service has stored. @throws FrontdeskError */
export async function registerAndLogOut(baseUrl: string, registration: Registration) {
  // #region register
  const client = createClient<paths>({ baseUrl });
  const registered = await client.POST('/api/register', { body: registration });
  if (registered.error) throw new FrontdeskError(registered.error);
  const headers = { Authorization: `Bearer ${registered.data.access_token}` };
  const current = await client.GET('/api/v1/me', { headers });
  if (current.error) throw new FrontdeskError(current.error);
  // #endregion
  const loggedOut = await client.POST('/api/logout', { headers });
  if (loggedOut.error) throw new FrontdeskError(loggedOut.error);
  return current.data.data.email;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const email = `ada-${Date.now()}@example.com`;
  const registration = { name: 'Ada Lovelace', email, password: 'correct horse battery staple' };
  console.log(await registerAndLogOut(process.env.FRONTDESK_URL ?? 'http://127.0.0.1:3000', registration));
}
