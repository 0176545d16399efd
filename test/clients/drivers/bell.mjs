import bell from '@hapi/bell';
import hapi from '@hapi/hapi';
import { BASE, CLIENT_ID, CLIENT_SECRET, endpoint, PORT, scope, settings } from './lines.mjs';

let claims = {};
const { query, ...further } = settings;
const server = hapi.server({ port: Number(PORT) });
await server.register(bell);
server.auth.strategy('frontdesk', 'bell', {
  provider: {
    ...{ name: 'frontdesk', protocol: 'oauth2', auth: endpoint('authorize'), token: endpoint('token') },
    scope: scope.split(' '),
    profile: async (credentials, _params, get) => {
      credentials.profile = await get(endpoint('userinfo'));
    },
    ...further,
  },
  ...{
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    password: 'p'.repeat(32),
    isSecure: false,
    location: BASE,
  },
  ...(query && { providerParams: query }),
});
server.route([
  { method: 'GET', path: '/', handler: () => 'the site' },
  {
    method: 'GET',
    path: '/login',
    options: { auth: { mode: 'try', strategy: 'frontdesk' } },
    handler: ({ auth }, h) => {
      if (!auth.isAuthenticated) return h.response(String(auth.error)).code(401);
      claims = auth.credentials.profile;
      return h.redirect('/claims');
    },
  },
  { method: 'GET', path: '/claims', handler: () => claims },
]);
await server.start();
