import { AuthorizationCode } from 'simple-oauth2';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  ISSUER,
  REDIRECT_URI,
  readUserinfo,
  run,
  scope,
  settings,
} from './lines.mjs';

const client = new AuthorizationCode({
  client: { id: CLIENT_ID, secret: CLIENT_SECRET },
  auth: { tokenHost: ISSUER, authorizePath: '/oauth/authorize', tokenPath: '/oauth/token' },
});
await run({
  begin: () => client.authorizeURL({ redirect_uri: REDIRECT_URI, scope, state: 'state', ...settings }),
  finish: async (url) => {
    const code = url.searchParams.get('code');
    const { token } = await client.getToken({ code, redirect_uri: REDIRECT_URI, scope });
    return readUserinfo(token.access_token);
  },
});
