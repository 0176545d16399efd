import { serve } from '@hono/node-server';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { genericOAuth } from 'better-auth/plugins';
import { BASE, CLIENT_ID, CLIENT_SECRET, ISSUER, PORT, scope, settings } from './lines.mjs';

const auth = betterAuth({
  ...{ baseURL: BASE, secret: 'the secret of a test, which is long enough' },
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  plugins: [
    genericOAuth({
      config: [
        {
          ...{ providerId: 'frontdesk', clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
          ...{ discoveryUrl: `${ISSUER}/.well-known/openid-configuration`, scopes: scope.split(' ') },
          ...settings,
        },
      ],
    }),
  ],
});
async function signIn() {
  const body = JSON.stringify({ provider: 'frontdesk', callbackURL: '/' });
  const headers = { 'content-type': 'application/json', origin: BASE };
  const response = await auth.handler(
    new Request(`${BASE}/api/auth/sign-in/social`, { method: 'POST', body, headers }),
  );
  const { url } = await response.json();
  const redirect = new Response(null, { status: 302, headers: { location: url } });
  for (const line of response.headers.getSetCookie()) redirect.headers.append('set-cookie', line);
  return redirect;
}
async function claims({ headers }) {
  const session = await auth.api.getSession({ headers });
  const accounts = session && (await auth.api.listUserAccounts({ headers }));
  return Response.json({ sub: accounts?.[0]?.accountId, email: session?.user.email });
}
serve({
  port: Number(PORT),
  fetch: (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/login') return signIn();
    if (pathname === '/claims') return claims(request);
    return pathname.startsWith('/api/auth/') ? auth.handler(request) : new Response('the site');
  },
});
