/** The settings of docs/next.md and docs/mobile.md, with the service. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import * as oauth4webapi from 'oauth4webapi';
import { createApplication, signIn } from '../support/applications.ts';
import { useSharedService } from '../support/service.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
/** Returns the application that a document creates. */
const readApplication = (text: string) => JSON.parse(/-d '(.*)'/.exec(text)![1]!);

describe('documents with examples of OpenID Connect', () => {
  const service = useSharedService('sqlite');

  /** Follows the request as the browser of a person who is signed in; returns the URL that it is led to. */
  async function visit(url: URL, headers: Record<string, string>): Promise<URL> {
    const response = await fetch(url, { redirect: 'manual', headers });
    assert.equal(response.status, 303, await response.text());
    return new URL(response.headers.get('location')!);
  }

  test('the settings of docs/next.md sign a person in with Auth.js, which knows the id of the user', async () => {
    const { Auth } = await import('@auth/core');
    const path = join(ROOT, 'examples/next/auth.config.js');
    const { config } = await import(path);
    const text = read('docs/next.md');
    for (const [name] of read('examples/next/auth.config.js').matchAll(/AUTH_FRONTDESK_\w+/g))
      assert.match(text, new RegExp(`^${name}=`, 'm'));
    const given = readApplication(text);
    const base = new URL(given.redirect_uris[0]).origin;
    const { id, client_secret } = await createApplication(service, given);
    const { user, headers } = await signIn(service);
    const [provider] = config.providers;
    const settings = {
      ...config,
      ...{ trustHost: true, basePath: '/api/auth', secret: 'a secret of the application in the test' },
      providers: [{ ...provider, issuer: service.api.url, clientId: id, clientSecret: client_secret! }],
    } as Parameters<typeof Auth>[1];
    const cookies = new Map<string, string>();
    const send = async (url: string, init: RequestInit = {}) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const request = new Request(url, { ...init, headers: { ...init.headers, cookie } });
      const response = await Auth(request, settings);
      for (const each of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(each)!;
        cookies.set(name!, value!);
      }
      return response;
    };
    const { csrfToken } = await (await send(`${base}/api/auth/csrf`)).json();
    const started = await send(`${base}/api/auth/signin/${provider.id}`, {
      method: 'POST',
      body: new URLSearchParams({ csrfToken, callbackUrl: `${base}/` }),
    });
    const callback = await visit(new URL(started.headers.get('location')!), headers);
    assert.equal(callback.origin + callback.pathname, given.redirect_uris[0]);
    assert.equal((await send(callback.href)).headers.get('location'), `${base}/`);
    const session = await (await send(`${base}/api/auth/session`)).json();
    assert.equal(session.user.email, user.email);
    assert.equal(session.user.id, user.id);
  });

  for (const file of ['SignIn.kt', 'SignIn.swift'])
    test(`the settings of examples/mobile/${file} sign a person in without a secret`, async () => {
      const text = read('docs/mobile.md');
      const code = read(`examples/mobile/${file}`);
      const [issuer, redirectUri] = [...code.matchAll(/"([\w.]+:\/[^"]+)"/g)].map(([, url]) => url!);
      const given = readApplication(text);
      assert.deepEqual(given.redirect_uris, [redirectUri]);
      assert.ok(text.includes(`curl ${issuer}/`));
      const scopes = [...code.matchAll(/"(openid|email|profile)"/g)].map(([, scope]) => scope!);
      assert.equal(scopes.length, 3);
      const { id } = await createApplication(service, { ...given, name: file });
      const { user, headers } = await signIn(service);
      const options = { [oauth4webapi.allowInsecureRequests]: true };
      const url = new URL(service.api.url);
      const found = await oauth4webapi.discoveryRequest(url, options);
      const server = await oauth4webapi.processDiscoveryResponse(url, found);
      const client = { client_id: id };
      const [verifier, state, nonce] = [
        oauth4webapi.generateRandomCodeVerifier(),
        oauth4webapi.generateRandomState(),
        oauth4webapi.generateRandomNonce(),
      ];
      const request = new URL(server.authorization_endpoint!);
      request.search = new URLSearchParams({
        ...{ client_id: id, redirect_uri: redirectUri!, response_type: 'code', scope: scopes.join(' ') },
        ...{ state, nonce, code_challenge_method: 'S256' },
        code_challenge: await oauth4webapi.calculatePKCECodeChallenge(verifier),
      }).toString();
      const callback = await visit(request, headers);
      assert.ok(callback.href.startsWith(redirectUri!), callback.href);
      const answer = oauth4webapi.validateAuthResponse(server, client, callback, state);
      const response = await oauth4webapi.authorizationCodeGrantRequest(
        ...([server, client, oauth4webapi.None(), answer, redirectUri!, verifier, options] as const),
      );
      const expected = { expectedNonce: nonce, requireIdToken: true };
      const tokens = await oauth4webapi.processAuthorizationCodeResponse(server, client, response, expected);
      assert.equal(oauth4webapi.getValidatedIdTokenClaims(tokens)?.sub, user.id);
    });
});
