import { serve } from '@hono/node-server';
import {
  getAuth,
  initOidcAuthMiddleware,
  oidcAuthMiddleware,
  processOAuthCallback,
  revokeSession,
} from '@hono/oidc-auth';
import { Hono } from 'hono';
import { CLIENT_ID, CLIENT_SECRET, ISSUER, PORT, REDIRECT_URI, settings } from './lines.mjs';

const app = new Hono();
app.use(
  initOidcAuthMiddleware({
    ...{ OIDC_AUTH_SECRET: 's'.repeat(32), OIDC_ISSUER: ISSUER, OIDC_REDIRECT_URI: REDIRECT_URI },
    ...{ OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: CLIENT_SECRET, ...settings },
  }),
);
app.get('/', (context) => context.text('the site'));
app.get('/callback', (context) => processOAuthCallback(context));
app.get('/logout', async (context) => {
  await revokeSession(context);
  return context.redirect(`${ISSUER}/oauth/end-session`);
});
app.use('*', oidcAuthMiddleware());
app.get('/login', (context) => context.redirect('/claims'));
app.get('/claims', async (context) => context.json(await getAuth(context)));
serve({ fetch: app.fetch, port: Number(PORT) });
