/** An issuer on loopback that lets a test decide every part of its responses, also wrong ones. */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Person {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** Replaces parts of the responses. */
export interface Behaviour {
  /** Changes the claims of the ID token. */
  readonly claims?: (claims: Record<string, unknown>) => Record<string, unknown>;
  /** Creates the ID token instead of signing the claims. */
  readonly idToken?: (claims: Record<string, unknown>, issuer: Issuer) => Promise<string> | string;
  /** Responds in place of an endpoint, by path. */
  readonly replies?: Readonly<Record<string, Reply | ((response: ServerResponse) => void)>>;
  /** Changes the metadata. */
  readonly metadata?: (metadata: Record<string, unknown>) => Record<string, unknown>;
  /** Signed in at once by the endpoint to which browsers are redirected, with changes of the query of the callback. */
  readonly person?: Person;
  readonly changes?: Readonly<Record<string, string>>;
}

export interface Issuer {
  readonly url: string;
  readonly keys: Awaited<ReturnType<typeof generateKeyPair>>;
  behaviour: Behaviour;
  /** Returns the query of the callback for a person who has signed in at the URL to which the service has redirected. */
  authorize(location: string, person: Person, changes?: Readonly<Record<string, string>>): string;
  close(): Promise<void>;
}

interface Grant {
  readonly person: Person;
  readonly nonce: string | null;
  readonly challenge: string;
  readonly redirectUri: string;
}

const CLIENT = { id: 'frontdesk', secret: 'secret-of-the-client' };
export const KEY_ID = 'key-1';

/** Those of all issuers of the process, because a pair of RSA takes 50 ms. */
let keyPair: Promise<Issuer['keys']> | undefined;

/** Starts an issuer. `issuer` becomes it: for suites, which use it before it has started. */
export async function startIssuer(issuer = {} as Issuer): Promise<Issuer> {
  keyPair ??= generateKeyPair('RS256');
  const keys = await keyPair;
  const grants = new Map<string, Grant>();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url!, url);
    const reply = issuer.behaviour.replies?.[pathname];
    if (typeof reply === 'function') return reply(response);
    const sent = reply ?? (await respond(pathname, request));
    const body = typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body ?? {});
    const headers = { 'content-type': 'application/json', ...sent.headers };
    response.writeHead(sent.status ?? 200, headers).end(body);
  }

  async function respond(pathname: string, request: IncomingMessage): Promise<Reply> {
    if (pathname === '/.well-known/openid-configuration') return { body: readMetadata() };
    if (pathname === '/jwks') {
      const key = { ...(await exportJWK(keys.publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' };
      return { body: { keys: [key] } };
    }
    const { person, changes } = issuer.behaviour;
    if (pathname === '/authorize' && person !== undefined) {
      const location = new URL(request.url!, url);
      const query = issuer.authorize(location.href, person, changes);
      return { status: 303, headers: { location: `${location.searchParams.get('redirect_uri')}?${query}` } };
    }
    return pathname === '/token' ? redeem(request) : { status: 404 };
  }

  function readMetadata(): Record<string, unknown> {
    const metadata = {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      claims_supported: ['sub', 'email', 'email_verified'],
      authorization_response_iss_parameter_supported: true,
    };
    return issuer.behaviour.metadata?.(metadata) ?? metadata;
  }

  async function redeem(request: IncomingMessage): Promise<Reply> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const sent = Buffer.from(
      (request.headers.authorization ?? '').replace(/^Basic /, ''),
      'base64',
    ).toString();
    const isBasic = decodeURIComponent(sent) === `${CLIENT.id}:${CLIENT.secret}`;
    const isPost = form.get('client_secret') === CLIENT.secret;
    if (!isBasic && !isPost) return { status: 401, body: { error: 'invalid_client' } };
    const grant = grants.get(form.get('code') ?? '');
    const verifier = form.get('code_verifier') ?? '';
    const isProven = grant?.challenge === createHash('sha256').update(verifier).digest('base64url');
    if (!isProven || grant.redirectUri !== form.get('redirect_uri'))
      return { status: 400, body: { error: 'invalid_grant' } };
    grants.delete(form.get('code')!);
    const id_token = await createIdToken(grant);
    return { body: { access_token: randomUUID(), token_type: 'Bearer', expires_in: 60, id_token } };
  }

  async function createIdToken({ person, nonce }: Grant): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const common = { iss: url, aud: CLIENT.id, iat: now, exp: now + 300, nonce, ...person };
    const claims = issuer.behaviour.claims?.(common) ?? common;
    if (issuer.behaviour.idToken !== undefined) return issuer.behaviour.idToken(claims, issuer);
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: KEY_ID }).sign(keys.privateKey);
  }

  return Object.assign(issuer, {
    url,
    keys,
    behaviour: {},
    authorize(location, person, changes = {}) {
      const query = new URL(location).searchParams;
      const code = randomUUID();
      grants.set(code, {
        ...{ person, nonce: query.get('nonce') },
        challenge: query.get('code_challenge')!,
        redirectUri: query.get('redirect_uri')!,
      });
      return new URLSearchParams({ code, state: query.get('state')!, iss: url, ...changes }).toString();
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  } satisfies Issuer);
}

/** Body of the request that adds the issuer as a provider. */
export function toProvider({ url }: Pick<Issuer, 'url'>, changes: object = {}) {
  const client = { client_id: CLIENT.id, client_secret: CLIENT.secret };
  return { name: 'Upstream', kind: 'oidc', issuer: url, ...client, ...changes };
}
