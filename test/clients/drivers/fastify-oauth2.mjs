import cookie from '@fastify/cookie';
import oauth2 from '@fastify/oauth2';
import fastify from 'fastify';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  ISSUER,
  PORT,
  REDIRECT_URI,
  readUserinfo,
  scope,
  settings,
} from './lines.mjs';

const app = fastify();
let claims = {};
await app.register(cookie);
await app.register(oauth2, {
  ...{ name: 'frontdesk', scope: scope.split(' '), callbackUri: REDIRECT_URI, startRedirectPath: '/login' },
  credentials: { client: { id: CLIENT_ID, secret: CLIENT_SECRET } },
  discovery: { issuer: ISSUER },
  ...settings,
});
app.get('/', () => 'the site');
app.get('/callback', async (request, reply) => {
  const { token } = await app.frontdesk.getAccessTokenFromAuthorizationCodeFlow(request);
  claims = await readUserinfo(token.access_token);
  return reply.redirect('/claims');
});
app.get('/claims', () => claims);
await app.listen({ port: Number(PORT), host: 'localhost' });
