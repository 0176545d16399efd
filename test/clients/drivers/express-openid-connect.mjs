import express from 'express';
import openidConnect from 'express-openid-connect';
import { BASE, CLIENT_ID, CLIENT_SECRET, ISSUER, PORT, settings } from './lines.mjs';

const { auth, requiresAuth } = openidConnect;
const app = express();
app.use(
  auth({
    ...{
      authRequired: false,
      issuerBaseURL: ISSUER,
      baseURL: BASE,
      clientID: CLIENT_ID,
      secret: 'a'.repeat(32),
    },
    ...{ idpLogout: true, ...settings, ...(settings.authorizationParams && { clientSecret: CLIENT_SECRET }) },
  }),
);
app.get('/', (_request, response) => response.send('the site'));
app.get('/claims', requiresAuth(), async (request, response) => response.json(request.oidc.user));
app.listen(PORT);
