import express from 'express';
import session from 'express-session';
import grant from 'grant';
import { BASE, CLIENT_ID, CLIENT_SECRET, endpoint, PORT, readUserinfo, scope, settings } from './lines.mjs';

const app = express();
app.use(session({ secret: 'the secret of a test', resave: false, saveUninitialized: true }));
app.use(
  grant.express({
    defaults: { origin: BASE, transport: 'session', state: true },
    frontdesk: {
      ...{ oauth: 2, key: CLIENT_ID, secret: CLIENT_SECRET, scope, callback: '/claims' },
      ...{ authorize_url: endpoint('authorize'), access_url: endpoint('token'), ...settings },
    },
  }),
);
app.get('/', (_request, response) => response.send('the site'));
app.get('/claims', async (request, response) => {
  const { access_token: token, error } = request.session.grant?.response ?? {};
  if (token === undefined) return response.status(500).json(error ?? {});
  response.json(await readUserinfo(token));
});
app.listen(PORT);
