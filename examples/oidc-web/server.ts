/**
 * A backend to which people sign in with Frontdesk, by openid-client; its session is a cookie that scripts cannot read.
 * Create a `web` application with the redirect URI http://127.0.0.1:3001/callback and the post-logout redirect URI
 * http://127.0.0.1:3001/, then: `CLIENT_ID=… CLIENT_SECRET=… node_modules/.bin/node examples/oidc-web/server.ts`.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as client from 'openid-client';

interface Session {
  /** While the person signs in. */
  checks?: { pkceCodeVerifier: string; expectedState: string; expectedNonce: string };
  person?: { name: string; idToken: string };
}

/** In memory: a real application stores them. */
const sessions = new Map<string, Session>();

export interface App {
  readonly config: client.Configuration;
  /** Origin of this backend. */
  readonly base: string;
}

/** Reads the configuration of Frontdesk. */
export function discover(issuer: string, id: string, secret: string): Promise<client.Configuration> {
  const url = new URL(issuer);
  // Frontdesk on this machine has no TLS; leave the option out everywhere else.
  const options = url.protocol === 'http:' ? { execute: [client.allowInsecureRequests] } : {};
  return client.discovery(url, id, secret, undefined, options);
}

/** Returns the response to a request of a browser. */
export async function respond(app: App, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', app.base);
  const session = findSession(request, response);
  try {
    if (url.pathname === '/sign-in') redirect(response, await startSignIn(app, session));
    else if (url.pathname === '/callback') redirect(response, await completeSignIn(app, session, url));
    else if (url.pathname === '/sign-out') redirect(response, signOut(app, session));
    else sendHome(response, session);
  } catch (error) {
    response.writeHead(400).end(`Sign-in failed: ${error instanceof Error ? error.message : error}`);
  }
}

function findSession(request: IncomingMessage, response: ServerResponse): Session {
  const [, known = ''] = /(?:^|; )session=([\w-]+)/.exec(request.headers.cookie ?? '') ?? [];
  const found = sessions.get(known);
  if (found !== undefined) return found;
  const id = randomUUID();
  const session: Session = {};
  sessions.set(id, session);
  response.setHeader('set-cookie', `session=${id}; HttpOnly; SameSite=Lax; Path=/`);
  return session;
}

// #region sign-in
async function startSignIn({ config, base }: App, session: Session): Promise<URL> {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
  session.checks = { pkceCodeVerifier, expectedState, expectedNonce };
  return client.buildAuthorizationUrl(config, {
    redirect_uri: `${base}/callback`,
    scope: 'openid email profile',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
  });
}

/** The claims are those of the ID token, which openid-client has verified. */
async function completeSignIn({ config }: App, session: Session, url: URL): Promise<string> {
  if (session.checks === undefined) throw new Error('no sign-in was started');
  const tokens = await client.authorizationCodeGrant(config, url, {
    ...session.checks,
    idTokenExpected: true,
  });
  const claims = tokens.claims()!;
  delete session.checks;
  session.person = { name: String(claims.name ?? claims.email ?? claims.sub), idToken: tokens.id_token! };
  return '/';
}
// #endregion

function signOut({ config, base }: App, session: Session): URL | string {
  const { person } = session;
  if (person === undefined) return '/';
  delete session.person;
  return client.buildEndSessionUrl(config, {
    id_token_hint: person.idToken,
    post_logout_redirect_uri: `${base}/`,
  });
}

function redirect(response: ServerResponse, to: URL | string): void {
  response.writeHead(303, { location: String(to) }).end();
}

function sendHome(response: ServerResponse, { person }: Session): void {
  const toHtml = (text: string) => text.replace(/[&<]/g, (character) => `&#${character.charCodeAt(0)};`);
  const body = person
    ? `<p>Hello ${toHtml(person.name)}</p><a href="/sign-out">Sign out</a>`
    : '<a href="/sign-in">Sign in</a>';
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body);
}

if (import.meta.main) {
  const { ISSUER = 'http://127.0.0.1:3000', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
  const app = { config: await discover(ISSUER, CLIENT_ID, CLIENT_SECRET), base: 'http://127.0.0.1:3001' };
  createServer((request, response) => respond(app, request, response)).listen(3001, '127.0.0.1', () =>
    console.log(app.base),
  );
}
