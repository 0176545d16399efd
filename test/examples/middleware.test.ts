/** examples/middleware in front of an application, with tokens of the service. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import fastify from 'fastify';
import { type AuthenticatedRequest, authenticate } from '../../examples/middleware/express.ts';
import { authentication } from '../../examples/middleware/fastify.ts';
import type { VerifierOptions } from '../../examples/middleware/verifier.ts';
import { createCredential } from '../support/credentials.ts';
import { newUserData, useService } from '../support/service.ts';

type StartApp = (context: TestContext, options: VerifierOptions) => Promise<string>;

const startFastify: StartApp = async (context, options) => {
  const app = fastify();
  context.after(() => app.close());
  app.register(authentication, options);
  app.get('/', async ({ user }) => user);
  return app.listen({ port: 0, host: '127.0.0.1' });
};

const startExpress: StartApp = async (context, options) => {
  const middleware = authenticate(options);
  const server = createServer((request: AuthenticatedRequest, response) =>
    middleware(request, response, () => response.end(JSON.stringify(request.user))),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe('examples/middleware', () => {
  const service = useService('sqlite');

  for (const [name, start] of [
    ['the Fastify plugin', startFastify],
    ['the Express middleware', startExpress],
  ] as const) {
    test(`examples/middleware: ${name} passes valid tokens with their user, and rejects a revoked one once five seconds have passed`, async (context) => {
      const { secret } = await createCredential(service, ['tokens:verify']);
      const time = { now: 1_000 };
      const url = await start(context, { url: service.api.url, credential: secret, now: () => time.now });
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
      const url = await start(context, { url: service.api.url, credential: secret });
      const { token } = await register();
      const { status, headers } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      assert.deepEqual([status, headers.get('retry-after')], [503, '5']);
    });
  }

  async function register() {
    const { body } = await service.api.post('/api/register', newUserData());
    const token: string = body.access_token;
    const { body: current } = await service.api.get('/api/v1/me', { token });
    return { token, id: current.data.id as string };
  }
});
