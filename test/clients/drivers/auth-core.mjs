import { Auth } from '@auth/core';
import { serve } from '@hono/node-server';
import { CLIENT_ID, CLIENT_SECRET, ISSUER, PORT } from './lines.mjs';

const config = {
  ...{ trustHost: true, basePath: '/auth', secret: 'the secret of a test' },
  providers: [
    {
      ...{ id: 'frontdesk', name: 'Frontdesk', type: 'oidc' },
      ...{ issuer: ISSUER, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
    },
  ],
  callbacks: {
    session: ({ session, token }) => ({ ...session, ...token }),
    jwt: ({ token, profile }) => ({ ...token, ...(profile && { sub: profile.sub }) }),
  },
};
/** The page of the library submits this form by script. */
async function signIn(request) {
  const csrf = await Auth(new Request(new URL('/auth/csrf', request.url)), config);
  const { csrfToken } = await csrf.json();
  const cookie = csrf.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const body = new URLSearchParams({ csrfToken, callbackUrl: new URL('/', request.url).href });
  const url = new URL('/auth/signin/frontdesk', request.url);
  const response = await Auth(new Request(url, { method: 'POST', body, headers: { cookie } }), config);
  for (const line of csrf.headers.getSetCookie()) response.headers.append('set-cookie', line);
  return response;
}
serve({
  port: Number(PORT),
  fetch: async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/login') return signIn(request);
    if (pathname === '/claims') {
      const url = new URL('/auth/session', request.url);
      return Auth(new Request(url, { headers: request.headers }), config);
    }
    return pathname.startsWith('/auth/') ? Auth(request, config) : new Response('the site');
  },
});
