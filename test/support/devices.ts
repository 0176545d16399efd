/** Devices without a browser, for tests. */
import assert from 'node:assert/strict';
import type { SignInSession } from '../../src/features/people/sign-in/sessions.ts';
import { postForm, type TestApplication } from './applications.ts';
import type { TestService } from './service.ts';
import { createBrowser, type TestBrowser } from './upstream/sign-in.ts';

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

export interface DeviceCodes {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri_complete: string;
}

const toClient = ({ id, client_secret }: TestApplication) => ({
  client_id: id,
  client_secret: client_secret ?? undefined,
});

/** Begins the sign-in of a device; `headers` are those of the program. */
export async function beginDevice(
  service: Pick<TestService, 'api'>,
  application: TestApplication,
  { scope, headers = {} }: { readonly scope?: string; readonly headers?: Record<string, string> } = {},
): Promise<DeviceCodes> {
  const form = { ...toClient(application), scope };
  const { status, body, text } = await postForm(service, '/oauth/device_authorization', form, headers);
  assert.equal(status, 200, text);
  return body;
}

/** Requests the token of a device. */
export const pollDevice = (
  service: Pick<TestService, 'api'>,
  application: TestApplication,
  device_code: string,
  headers: Record<string, string> = {},
) =>
  postForm(
    service,
    '/oauth/token',
    { grant_type: DEVICE_GRANT, device_code, ...toClient(application) },
    headers,
  );

/** Returns a browser with this session. */
export function createSignedInBrowser(
  service: TestService,
  { headers: { cookie } }: { readonly headers: { readonly cookie: string }; readonly session: SignInSession },
): TestBrowser {
  const browser = createBrowser(service);
  browser.cookies.set(...(cookie.split('=') as [string, string]));
  return browser;
}
