import { generateCodeVerifier, OAuth2Client } from '@badgateway/oauth2-client';
import { CLIENT_ID, CLIENT_SECRET, ISSUER, REDIRECT_URI, readUserinfo, run, scope } from './lines.mjs';

const client = new OAuth2Client({ server: ISSUER, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
const codeVerifier = await generateCodeVerifier();
const redirectUri = REDIRECT_URI;
await run({
  begin: () =>
    client.authorizationCode.getAuthorizeUri({
      redirectUri,
      state: 'state',
      codeVerifier,
      scope: scope.split(' '),
    }),
  finish: async (url) => {
    const found = await client.authorizationCode.getTokenFromCodeRedirect(url.href, {
      ...{ redirectUri, state: 'state', codeVerifier },
    });
    return readUserinfo(found.accessToken);
  },
});
