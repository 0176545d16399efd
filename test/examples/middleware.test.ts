/** examples/middleware in front of an application, with tokens of the service. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import fastify from 'fastify';
import { decodeJwt, decodeProtectedHeader, UnsecuredJWT } from 'jose';
import { type AuthenticatedRequest, authenticate } from '../../examples/middleware/express.ts';
import { authentication } from '../../examples/middleware/fastify.ts';
import { createJwtVerifier } from '../../examples/middleware/jwt-verifier.ts';
import { createVerifier } from '../../examples/middleware/verifier.ts';
import type { Verify } from '../../examples/middleware/verify.ts';
import { createCredential } from '../support/credentials.ts';
import { newUserData, useService } from '../support/service.ts';

const ISSUER = 'https://id.example.com';
const AUDIENCE = 'https://orders.example.com';

type StartApp = (context: TestContext, verify: Verify) => Promise<string>;

const startFastify: StartApp = async (context, verify) => {
  const app = fastify();
  context.after(() => app.close());
  app.register(authentication, { verify });
  app.get('/', async ({ user }) => user);
  return app.listen({ port: 0, host: '127.0.0.1' });
};

const startExpress: StartApp = async (context, verify) => {
  const middleware = authenticate(verify);
  const server = createServer((request: AuthenticatedRequest, response) =>
    middleware(request, response, () => response.end(JSON.stringify(request.user))),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe('examples/middleware', () => {
  const service = useService('sqlite', {
    environment: { PUBLIC_URL: ISSUER, JWT_AUDIENCES: `${AUDIENCE}, https://other.example.com` },
  });

  for (const [name, start] of [
    ['the Fastify plugin', startFastify],
    ['the Express middleware', startExpress],
  ] as const) {
    test(`examples/middleware: ${name} passes valid tokens with their user, and rejects a revoked one once five seconds have passed`, async (context) => {
      const { secret } = await createCredential(service, ['tokens:verify']);
      const time = { now: 1_000 };
      const options = { url: service.api.url, credential: secret, now: () => time.now };
      const url = await start(context, createVerifier(options));
      const { token, id } = await register();
      const get = (authorization?: string) =>
        fetch(url, authorization === undefined ? {} : { headers: { authorization } });

      const accepted = await get(`Bearer ${token}`);
      assert.equal(accepted.status, 200);
      assert.deepEqual(await accepted.json(), {
        id,
        scopes: ['self:read', 'self:write', 'tokens:manage'],
      });
      for (const authorization of [undefined, 'Basic YTpi', 'Bearer fd_pat_unknown']) {
        const { status, headers } = await get(authorization);
        assert.deepEqual([status, headers.get('www-authenticate')], [401, 'Bearer']);
      }
      await service.api.post('/api/logout', undefined, { token });
      time.now += 4_900;
      assert.equal((await get(`Bearer ${token}`)).status, 200);
      time.now += 200;
      assert.equal((await get(`Bearer ${token}`)).status, 401);
    });

    test(`examples/middleware: ${name} responds with 503 while the tokens cannot be verified`, async (context) => {
      const { secret } = await createCredential(service, ['users:read']);
      const url = await start(context, createVerifier({ url: service.api.url, credential: secret }));
      const { token } = await register();
      const { status, headers } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      assert.deepEqual([status, headers.get('retry-after')], [503, '5']);
    });

    test(`examples/middleware: ${name} verifies JSON Web Tokens for its audience by the published keys, also of revoked tokens until they expire`, async (context) => {
      const keys = new URL(`${service.api.url}/.well-known/jwks.json`);
      const time = { now: Date.now() };
      const options = { issuer: ISSUER, audience: AUDIENCE, keys, now: () => time.now };
      const url = await start(context, createJwtVerifier(options));
      const { token, id } = await register();
      const issue = async (audience: string): Promise<string> =>
        (await service.api.post('/api/v1/tokens/jwt', { audience }, { token })).body.token;
      const [jwt, other] = [await issue(AUDIENCE), await issue('https://other.example.com')];
      const get = (bearer: string) => fetch(url, { headers: { authorization: `Bearer ${bearer}` } });
      const user = { id, scopes: ['self:read', 'self:write', 'tokens:manage'] };
      assert.deepEqual(await (await get(jwt)).json(), user);
      for (const wrong of [other, token, createUnsigned(jwt), createForged(jwt)])
        assert.equal((await get(wrong)).status, 401, wrong);
      await service.api.post('/api/logout', undefined, { token });
      assert.equal((await get(jwt)).status, 200);
      time.now += 301_000;
      assert.equal((await get(jwt)).status, 401);
    });

    test(`examples/middleware: ${name} responds with 503 while the keys cannot be fetched`, async (context) => {
      const { token } = await register();
      const { body } = await service.api.post('/api/v1/tokens/jwt', { audience: AUDIENCE }, { token });
      const options = { issuer: ISSUER, audience: AUDIENCE };
      for (const keys of [new URL('http://127.0.0.1:1/'), new URL(`${service.api.url}/not-there`)]) {
        const url = await start(context, createJwtVerifier({ ...options, keys }));
        const { status } = await fetch(url, { headers: { authorization: `Bearer ${body.token}` } });
        assert.equal(status, 503);
      }
    });
  }

  async function register() {
    const { body } = await service.api.post('/api/register', newUserData());
    const token: string = body.access_token;
    const { body: current } = await service.api.get('/api/v1/me', { token });
    return { token, id: current.data.id as string };
  }
});

/** Returns the token without a signature, with the algorithm `none`. */
function createUnsigned(jwt: string): string {
  return new UnsecuredJWT(decodeJwt(jwt)).encode();
}

/** Returns the token with a signature that needs no private key: HMAC with a text that everybody knows. */
function createForged(jwt: string): string {
  const [, payload] = jwt.split('.');
  const { kid } = decodeProtectedHeader(jwt);
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid, typ: 'at+jwt' })).toString('base64url');
  const signature = createHmac('sha256', kid!).update(`${header}.${payload}`).digest('base64url');
  return `${header}.${payload}.${signature}`;
}
