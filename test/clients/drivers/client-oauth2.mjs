import ClientOAuth2 from 'client-oauth2';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  endpoint,
  REDIRECT_URI,
  readUserinfo,
  run,
  scope,
  settings,
} from './lines.mjs';

const client = new ClientOAuth2({
  ...{ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, redirectUri: REDIRECT_URI },
  ...{ authorizationUri: endpoint('authorize'), accessTokenUri: endpoint('token'), scopes: scope.split(' ') },
  query: settings,
});
await run({
  begin: () => client.code.getUri(),
  finish: async (url) => readUserinfo((await client.code.getToken(url.href, { query: {} })).accessToken),
});
