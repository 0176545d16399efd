/** examples/oidc-web with the service, and the settings of examples/oidc-tools. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { discover, respond } from '../../examples/oidc-web/server.ts';
import { createApplication, signIn } from '../support/applications.ts';
import { openService } from '../support/service.ts';

const read = (name: string) => readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8');

async function start(context: TestContext, environment: Record<string, string> = {}) {
  const service = await openService(context, 'sqlite', { environment });
  return service;
}

test('examples/oidc-web signs a person in by the session of the browser, and out', async (context) => {
  const service = await start(context);
  const uris = {
    redirect_uris: ['http://127.0.0.1/callback'],
    post_logout_redirect_uris: ['http://127.0.0.1/'],
  };
  const { id, client_secret } = await createApplication(service, uris);
  const config = await discover(service.api.url, id, client_secret!);
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    return respond({ config, base: `http://127.0.0.1:${port}` }, request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { user, headers } = await signIn(service);
  let cookie = '';
  const visit = async (url: string) => {
    const own = url.startsWith(base) ? { cookie } : headers;
    const response = await fetch(new URL(url, base), { redirect: 'manual', headers: own });
    if (url.startsWith(base)) cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return { text: await response.text(), location: response.headers.get('location')! };
  };
  assert.match((await visit(`${base}/`)).text, /Sign in/);
  const { location } = await visit(`${base}/sign-in`);
  const back = await visit(location);
  assert.equal((await visit(back.location)).location, '/');
  assert.ok((await visit(`${base}/`)).text.includes(`Hello ${user.name}`));
  const end = await visit((await visit(`${base}/sign-out`)).location);
  assert.equal(end.location, `${base}/`);
  assert.match((await visit(end.location)).text, /Sign in/);
});

test('the settings of examples/oidc-tools are those of the configuration of the service', async (context) => {
  const { api } = await start(context, { PUBLIC_URL: 'https://accounts.example.com' });
  const { body } = await api.get('/.well-known/openid-configuration');
  const grafana = read('oidc-tools/grafana.ini');
  for (const [setting, member] of [
    ['auth_url', 'authorization_endpoint'],
    ['token_url', 'token_endpoint'],
    ['api_url', 'userinfo_endpoint'],
    ['signout_redirect_url', 'end_session_endpoint'],
  ] as const)
    assert.ok(grafana.includes(`\n${setting} = ${body[member]}\n`), setting);
  const proxy = read('oidc-tools/oauth2-proxy.cfg');
  assert.ok(proxy.includes(`oidc_issuer_url = "${body.issuer}"`));
  assert.ok(
    body.code_challenge_methods_supported.includes(/code_challenge_method = "(\w+)"/.exec(proxy)![1]!),
  );
  for (const text of [grafana, proxy]) {
    const scopes = /^scopes? = "?([a-z_ ]+)/m.exec(text)![1]!.split(' ');
    for (const scope of scopes) assert.ok(body.scopes_supported.includes(scope), scope);
  }
});
