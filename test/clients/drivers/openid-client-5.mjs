import { generators, Issuer } from 'openid-client-5';
import { BASE, CLIENT_ID, CLIENT_SECRET, ISSUER, REDIRECT_URI, run, scope } from './lines.mjs';

const { Client } = await Issuer.discover(ISSUER);
const client = new Client({
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
  redirect_uris: [REDIRECT_URI],
});
const code_verifier = generators.codeVerifier();
const code_challenge = generators.codeChallenge(code_verifier);
let tokens;
await run({
  begin: () => client.authorizationUrl({ scope, code_challenge, code_challenge_method: 'S256' }),
  finish: async (url) => {
    tokens = await client.callback(REDIRECT_URI, client.callbackParams(url.href), { code_verifier });
    return client.userinfo(tokens.access_token);
  },
  end: () => client.endSessionUrl({ id_token_hint: tokens.id_token, post_logout_redirect_uri: `${BASE}/` }),
});
