/** Clients of others with their default settings. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as openidClient from 'openid-client';
import {
  createApplication,
  REDIRECT_URI,
  signIn,
  signInOffline,
  type TestApplication,
} from '../../../test/support/applications.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { useSharedService } from '../../../test/support/service.ts';

describeOnSqlite('clients of OpenID Connect with default settings', (engine) => {
  const service = useSharedService(engine);

  /** Follows the request as the browser of a person who is signed in; returns the URL that it is led to. */
  async function visit(url: URL, headers: Record<string, string>): Promise<URL> {
    const response = await fetch(url, { redirect: 'manual', headers });
    assert.equal(response.status, 303, await response.text());
    return new URL(response.headers.get('location')!);
  }

  const discover = ({ id, client_secret }: TestApplication) =>
    openidClient.discovery(new URL(service.api.url), id, client_secret!, undefined, {
      execute: [openidClient.allowInsecureRequests],
    });

  test('openid-client signs in, reads the claims, introspects, revokes and signs out', async () => {
    const application = await createApplication(service, {
      post_logout_redirect_uris: ['https://app.example.com/'],
    });
    const { user, headers } = await signIn(service);
    const config = await discover(application);
    const verifier = openidClient.randomPKCECodeVerifier();
    const checks = { expectedState: openidClient.randomState(), expectedNonce: openidClient.randomNonce() };
    const url = openidClient.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: 'openid email profile',
      code_challenge: await openidClient.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: checks.expectedState,
      nonce: checks.expectedNonce,
    });
    const callback = await visit(url, headers);
    const tokens = await openidClient.authorizationCodeGrant(config, callback, {
      ...checks,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
      maxAge: 60,
    });
    assert.equal(tokens.claims()?.sub, user.id);
    const userinfo = await openidClient.fetchUserInfo(config, tokens.access_token, user.id);
    assert.equal(userinfo.email, user.email);
    assert.equal((await openidClient.tokenIntrospection(config, tokens.access_token)).active, true);
    await openidClient.tokenRevocation(config, tokens.access_token);
    assert.equal((await openidClient.tokenIntrospection(config, tokens.access_token)).active, false);
    const end = openidClient.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token!,
      post_logout_redirect_uri: 'https://app.example.com/',
    });
    assert.equal((await visit(end, headers)).href, 'https://app.example.com/');
  });

  test('openid-client stays signed in with refreshTokenGrant', async () => {
    const { application, user, body } = await signInOffline(service);
    const config = await discover(application);
    let { refresh_token } = body;
    for (let use = 0; use < 3; use++) {
      const tokens = await openidClient.refreshTokenGrant(config, refresh_token);
      assert.equal(tokens.claims()?.sub, user.id);
      // The seconds that are left.
      assert.ok(tokens.expiresIn()! > 3_500);
      refresh_token = tokens.refresh_token;
    }
    await openidClient.tokenRevocation(config, refresh_token);
    await assert.rejects(openidClient.refreshTokenGrant(config, refresh_token), { error: 'invalid_grant' });
  });
});
