import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, admin, useService } from '../../../test/support/service.ts';
import { toProvider } from '../../../test/support/upstream/issuer.ts';
import { addProvider, createBrowser, LOOPBACK_ALLOWED } from '../../../test/support/upstream/sign-in.ts';

/** A server whose provider is created when the redirect URI is known. */
async function startUpstream() {
  const { default: Provider } = await import('oidc-provider');
  let handle: RequestListener = () => {};
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { client_id, client_secret } = toProvider({ url });
  return {
    url,
    register(redirectUri: string, claims: Record<string, unknown>) {
      const provider = new Provider(url, {
        clients: [{ client_id, client_secret, redirect_uris: [redirectUri] }],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        findAccount: (_context: unknown, id: string) => ({
          accountId: id,
          claims: () => ({ sub: id, ...claims }),
        }),
      });
      handle = provider.callback();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Follows the pages of the provider, which has forms for its own sign-in and consent, to the redirect to the service. */
async function authorizeByForms(location: string, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>();
  let [url, init]: [string, RequestInit] = [location, {}];
  for (let step = 0; step < 20; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
      cookies.set(name!, value!);
    }
    const next = response.headers.get('location');
    const text = await response.text();
    if (next?.startsWith(redirectUri)) return new URL(next).search;
    const [, action] = /<form[^>]*action="([^"]+)"/.exec(text) ?? [];
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(text) ?? [];
    assert.ok(next ?? action, text);
    url = new URL(next ?? action!, url).href;
    const body = new URLSearchParams({ prompt: prompt ?? '', login: 'ada', password: 'any' });
    init = next === null ? { method: 'POST', body } : {};
  }
  throw new Error('the provider has not led back');
}

describeOnSqlite('a sign-in with a provider of another make', (engine) => {
  const service = useService(engine, { environment: LOOPBACK_ALLOWED });
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  before(async () => {
    upstream = await startUpstream();
  });
  after(() => upstream.close());

  test('oidc-provider signs a person in, whose claims are those of its userinfo endpoint', async () => {
    const { id } = await addProvider(service, upstream);
    const redirectUri = `${service.api.url}/sign-in/callback/${id}`;
    const email = `ada@${id}.example`;
    upstream.register(redirectUri, { email, email_verified: true, name: 'Ada' });
    const checked = await service.api.post(`/api/v1/identity-providers/${id}/check`, undefined, {
      token: ADMIN_TOKEN,
    });
    const failed = checked.body.data.filter(({ status }: { status: string }) => status === 'failed');
    assert.deepEqual(failed, []);
    const browser = createBrowser(service);
    const query = await authorizeByForms(await browser.begin(id), redirectUri);
    const response = await browser.get(`/sign-in/callback/${id}${query}`);
    assert.equal(response.headers.get('location'), '/account', response.text);
    assert.equal(browser.hasSession(), true);
    const { body } = await service.api.get('/api/v1/users', admin);
    assert.equal(body.data[0].email, email);
    assert.equal(body.data[0].name, 'Ada');
  });
});
