import * as oauth from 'oauth4webapi';
import { CLIENT_ID, CLIENT_SECRET, ISSUER, REDIRECT_URI, run, scope } from './lines.mjs';

const issuer = new URL(ISSUER);
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer));
const client = { client_id: CLIENT_ID };
const verifier = oauth.generateRandomCodeVerifier();
await run({
  begin: async () => {
    const url = new URL(server.authorization_endpoint);
    url.search = new URLSearchParams({
      ...{ client_id: CLIENT_ID, redirect_uri: REDIRECT_URI, response_type: 'code', scope },
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return url;
  },
  finish: async (url) => {
    const parameters = oauth.validateAuthResponse(server, client, url);
    const authentication = oauth.ClientSecretPost(CLIENT_SECRET);
    const response = await oauth.authorizationCodeGrantRequest(
      ...[server, client, authentication, parameters, REDIRECT_URI, verifier],
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      requireIdToken: true,
    });
    const { sub } = oauth.getValidatedIdTokenClaims(tokens);
    const userinfo = await oauth.userInfoRequest(server, client, tokens.access_token);
    return oauth.processUserInfoResponse(server, client, sub, userinfo);
  },
});
