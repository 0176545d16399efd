import * as client from 'openid-client';
import { BASE, CLIENT_ID, CLIENT_SECRET, ISSUER, REDIRECT_URI, run, scope } from './lines.mjs';

const config = await client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET);
const pkceCodeVerifier = client.randomPKCECodeVerifier();
let tokens;
await run({
  begin: async () =>
    client.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    }),
  finish: async (url) => {
    tokens = await client.authorizationCodeGrant(config, url, { pkceCodeVerifier });
    return client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub);
  },
  end: () =>
    client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: `${BASE}/`,
    }),
});
