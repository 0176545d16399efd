/** Clients of others with their default settings. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as oauth4webapi from 'oauth4webapi';
import * as openidClient from 'openid-client';
import {
  createApplication,
  REDIRECT_URI,
  signIn,
  signInOffline,
} from '../../../test/support/applications.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { useService } from '../../../test/support/service.ts';

describeOnSqlite('clients of OpenID Connect with default settings', (engine) => {
  const service = useService(engine);

  /** Follows the request as the browser of a person who is signed in; returns the URL that it is led to. */
  async function visit(url: URL, headers: Record<string, string>): Promise<URL> {
    const response = await fetch(url, { redirect: 'manual', headers });
    assert.equal(response.status, 303, await response.text());
    return new URL(response.headers.get('location')!);
  }

  test('openid-client signs in, reads the claims, introspects, revokes and signs out', async () => {
    const { id, client_secret } = await createApplication(service, {
      post_logout_redirect_uris: ['https://app.example.com/'],
    });
    const { user, headers } = await signIn(service);
    const allowHttp = { execute: [openidClient.allowInsecureRequests] };
    const config = await openidClient.discovery(
      new URL(service.api.url),
      id,
      client_secret!,
      undefined,
      allowHttp,
    );
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
    const { id, client_secret } = application;
    const allowHttp = { execute: [openidClient.allowInsecureRequests] };
    const config = await openidClient.discovery(
      new URL(service.api.url),
      id,
      client_secret!,
      undefined,
      allowHttp,
    );
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

  test('oauth4webapi signs in to a public application without a secret', async () => {
    const { id } = await createApplication(service, { kind: 'public' });
    const { user, headers } = await signIn(service);
    const options = { [oauth4webapi.allowInsecureRequests]: true };
    const issuer = new URL(service.api.url);
    const found = await oauth4webapi.discoveryRequest(issuer, options);
    const server = await oauth4webapi.processDiscoveryResponse(issuer, found);
    const client = { client_id: id };
    const verifier = oauth4webapi.generateRandomCodeVerifier();
    const nonce = oauth4webapi.generateRandomNonce();
    const url = new URL(server.authorization_endpoint!);
    url.search = new URLSearchParams({
      client_id: id,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'openid',
      nonce,
      code_challenge: await oauth4webapi.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    const answer = oauth4webapi.validateAuthResponse(server, client, await visit(url, headers));
    const none = oauth4webapi.None();
    const response = await oauth4webapi.authorizationCodeGrantRequest(
      server,
      client,
      none,
      answer,
      REDIRECT_URI,
      verifier,
      options,
    );
    const expected = { expectedNonce: nonce, requireIdToken: true };
    const tokens = await oauth4webapi.processAuthorizationCodeResponse(server, client, response, expected);
    await oauth4webapi.validateApplicationLevelSignature(server, response, options);
    assert.equal(oauth4webapi.getValidatedIdTokenClaims(tokens)?.sub, user.id);
  });
});
