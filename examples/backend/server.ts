/**
 * A backend that logs people in through the service: `FRONTDESK_CREDENTIAL=fd_svc_… node_modules/.bin/node examples/backend/server.ts`, with
 * a credential of the scope `clients:forward`. Another URL of the service is read from FRONTDESK_URL.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Client, createFrontdesk, type Frontdesk, type FrontdeskOptions } from './frontdesk.ts';
import { renderLogin, renderUser } from './pages.ts';
import { createSessions, type Sessions } from './sessions.ts';

export interface BackendOptions extends FrontdeskOptions {
  /** Whether browsers reach this backend by https. */
  readonly isSecure: boolean;
}

const MAX_FORM_BYTES = 8_192;
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

/** Texts by code. Anything else is a failure that people can only repeat later. */
const MESSAGES: Readonly<Record<string, string>> = {
  invalid_login: 'The email or the password is wrong.',
  validation_failed: 'Enter an email and a password.',
  email_not_verified: 'Open the link in the message that you have received first.',
  rate_limited_login: 'Too many attempts. Try again later.',
  too_many_requests: 'Too many attempts. Try again later.',
};

/** Creates the server. The caller lets it listen. */
export function createBackend(options: BackendOptions): Server {
  const deps = { frontdesk: createFrontdesk(options), sessions: createSessions(options) };
  return createServer(async (request, response) => {
    const handle = HANDLERS[`${request.method} ${request.url}`];
    if (handle === undefined) return send(response, 404, 'Not found');
    if (request.method === 'POST' && !isSameOrigin(request)) return send(response, 403, 'Forbidden');
    await handle(deps, request, response).catch(() => send(response, 503, 'Try again later.'));
  });
}

interface Deps {
  readonly frontdesk: Frontdesk;
  readonly sessions: Sessions;
}

type Handle = (deps: Deps, request: IncomingMessage, response: ServerResponse) => Promise<void>;

const showHome: Handle = async ({ frontdesk, sessions }, request, response) => {
  const session = sessions.find(request.headers.cookie);
  if (session === undefined) return send(response, 200, renderLogin());
  const { token } = session;
  const { status, body } = await frontdesk('GET', '/api/v1/me', { client: getClient(request), token });
  if (status === 200) return send(response, 200, renderUser(body.data));
  if (status !== 401) return send(response, 503, 'Try again later.');
  // The token was revoked elsewhere.
  response.setHeader('set-cookie', sessions.end(request.headers.cookie));
  send(response, 200, renderLogin('You were logged out.'));
};

// #region login
const logIn: Handle = async ({ frontdesk, sessions }, request, response) => {
  const form = await readForm(request);
  if (form === null) return send(response, 413, renderLogin());
  const credentials = { email: form.get('email') ?? '', password: form.get('password') ?? '' };
  const client = getClient(request);
  const { status, body } = await frontdesk('POST', '/api/login', { client, body: credentials });
  if (status !== 200)
    return send(response, status === 429 ? 429 : 422, renderLogin(MESSAGES[body.code] ?? 'Try again later.'));
  sessions.end(request.headers.cookie);
  response.setHeader('set-cookie', sessions.start(body.access_token, body.expires_in));
  redirectHome(response);
};
// #endregion

const logOut: Handle = async ({ frontdesk, sessions }, request, response) => {
  const { cookie } = request.headers;
  const session = sessions.find(cookie);
  // First, so that people are logged out here also if the service does not respond.
  response.setHeader('set-cookie', sessions.end(cookie));
  if (session !== undefined) {
    const { token } = session;
    await frontdesk('POST', '/api/logout', { client: getClient(request), token });
  }
  redirectHome(response);
};

const HANDLERS: Readonly<Record<string, Handle>> = {
  'GET /': showHome,
  'POST /login': logIn,
  'POST /logout': logOut,
};

// #region csrf
/**
 * Whether a page of this origin has sent the request. Browsers send Sec-Fetch-Site to https and localhost, and Origin with
 * every POST; neither can be set by a page. What is not a browser has no cookie that it did not choose to send.
 */
function isSameOrigin({ headers }: IncomingMessage): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
// #endregion

/** Behind a proxy of your own, the address is the last entry of its X-Forwarded-For. */
function getClient({ socket, headers }: IncomingMessage): Client {
  return { ip: socket.remoteAddress ?? '', userAgent: headers['user-agent'] ?? '' };
}

/** Returns the fields, or null if there are too many bytes. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams | null> {
  let text = '';
  let bytes = 0;
  for await (const chunk of request.setEncoding('utf8')) {
    bytes += Buffer.byteLength(chunk);
    // The rest is read all the same, because browsers show no response before they have sent everything.
    if (bytes <= MAX_FORM_BYTES) text += chunk;
  }
  return bytes > MAX_FORM_BYTES ? null : new URLSearchParams(text);
}

function send(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, HEADERS).end(html);
}

function redirectHome(response: ServerResponse): void {
  response.writeHead(303, { location: '/' }).end();
}

if (import.meta.main) {
  const { FRONTDESK_URL: url = 'http://127.0.0.1:3000', FRONTDESK_CREDENTIAL: credential = '' } = process.env;
  createBackend({ url, credential, isSecure: false }).listen(4000, '127.0.0.1', () =>
    console.log('http://127.0.0.1:4000'),
  );
}
