import { OAuth2Strategy } from 'remix-auth-oauth2';
import { CLIENT_ID, CLIENT_SECRET, endpoint, REDIRECT_URI, readUserinfo, run, scope } from './lines.mjs';

const strategy = new OAuth2Strategy(
  {
    ...{ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, redirectURI: REDIRECT_URI },
    ...{ authorizationEndpoint: endpoint('authorize'), tokenEndpoint: endpoint('token') },
    scopes: scope.split(' '),
  },
  ({ tokens }) => readUserinfo(tokens.accessToken()),
);
let cookie = '';
await run({
  begin: async () => {
    const response = await strategy.authenticate(new Request(REDIRECT_URI)).catch((thrown) => thrown);
    if (!(response instanceof Response)) throw response;
    cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    return response.headers.get('location');
  },
  finish: (url) => strategy.authenticate(new Request(url, { headers: { cookie } })),
});
