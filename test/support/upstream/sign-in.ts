/** A browser that signs in with a provider. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { ApiResponse } from '../api.ts';
import { FORM_TYPE } from '../browser/account-pages.ts';
import { ADMIN_TOKEN, type TestService } from '../service.ts';
import { type Issuer, type Person, startIssuer, toProvider } from './issuer.ts';

/** Environment of a service that may ask issuers on loopback. */
export const LOOPBACK_ALLOWED = { WEBHOOK_ALLOW: '127.0.0.1/32' };

/** Adds a provider, and returns its record. */
export async function addProvider({ api }: TestService, issuer: Pick<Issuer, 'url'>, changes: object = {}) {
  const response = await api.post('/api/v1/identity-providers', toProvider(issuer, changes), {
    token: ADMIN_TOKEN,
  });
  assert.equal(response.status, 201, response.text);
  return response.body.data as { readonly id: string; readonly redirect_uri: string };
}

/** Has an issuer during the tests of a suite, which is added as a provider. Call it in the body of the suite. */
export function useProvider(service: TestService) {
  const issuer = {} as Issuer;
  const provider = {} as { readonly id: string; readonly redirect_uri: string };
  before(async () => {
    await startIssuer(issuer);
    Object.assign(provider, await addProvider(service, issuer));
  });
  after(() => issuer.close());
  return { issuer, provider };
}

export interface TestBrowser {
  readonly cookies: Map<string, string>;
  /** Replaces its cookies. */
  restore(cookies: ReadonlyMap<string, string>): void;
  get(path: string): Promise<ApiResponse>;
  submit(path: string, fields?: Record<string, string>): Promise<ApiResponse>;
  /** Begins a sign-in, and returns where the provider is asked. */
  begin(providerId: string, returnTo?: string): Promise<string>;
  /** Begins and completes a sign-in. Returns the response of the callback. */
  signIn(issuer: Issuer, providerId: string, person: Person): Promise<ApiResponse>;
  /** Whether the browser has a sign-in session. */
  hasSession(): boolean;
}

/** Creates a browser: it keeps cookies, and follows no redirects. */
export function createBrowser({ api }: TestService): TestBrowser {
  const cookies = new Map<string, string>();
  const toHeaders = () => ({
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'sec-fetch-site': 'same-origin',
  });
  const keep = (response: ApiResponse) => {
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (value === '') cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    return response;
  };
  const browser: TestBrowser = {
    cookies,
    restore(kept) {
      cookies.clear();
      for (const [name, value] of kept) cookies.set(name, value);
    },
    get: async (path) => keep(await api.get(path, { headers: toHeaders() })),
    submit: async (path, fields = {}) => {
      const headers = { ...toHeaders(), 'content-type': FORM_TYPE };
      return keep(await api.request('POST', path, { raw: new URLSearchParams(fields).toString(), headers }));
    },
    async begin(providerId, returnTo) {
      const query = returnTo === undefined ? '' : `?${new URLSearchParams({ return_to: returnTo })}`;
      const response = await browser.get(`/sign-in/with/${providerId}${query}`);
      assert.equal(response.status, 303, response.text);
      return response.headers.get('location')!;
    },
    async signIn(issuer, providerId, person) {
      const query = issuer.authorize(await browser.begin(providerId), person);
      return browser.get(`/sign-in/callback/${providerId}?${query}`);
    },
    hasSession: () => cookies.keys().some((name) => name.startsWith('frontdesk-person-')),
  };
  return browser;
}
