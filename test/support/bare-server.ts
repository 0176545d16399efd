/** An HTTP server without the service, for routes of a test and only the options that the test needs. */
import type { FastifyInstance } from 'fastify';
import { createLog } from '../../src/lib/log/log.ts';
import { jsonBodies } from '../../src/plugins/bodies/json-bodies.ts';
import { jsonResponses } from '../../src/plugins/problems/negotiation.ts';
import { createServer, type HttpServer, registerAdmission } from '../../src/server.ts';

export interface BareServer extends HttpServer {
  readonly url: string;
}

type BareOptions = Parameters<typeof createServer>[0] & Parameters<typeof registerAdmission>[1];

/** Starts the server with the routes that `register` adds to the context of the API. The caller closes `app`. */
export async function startBareServer(
  options: Partial<BareOptions> = {},
  register: (app: FastifyInstance) => void = () => {},
): Promise<BareServer> {
  const none = { beforeAuthentication: () => undefined, afterAuthentication: () => undefined };
  const bare: BareOptions = {
    logger: createLog('silent'),
    publicUrl: '',
    cookieTag: 'of-tests',
    corsOrigins: [],
    trustProxy: [],
    loadSheddingMs: null,
    isDraining: () => false,
    limiter: { ...none, credentialRejected: async () => {}, countNetwork: async () => {} },
    isAdmin: () => false,
    findToken: async () => undefined,
    findCredential: async () => undefined,
    findConsoleSession: null,
    ...options,
  };
  const server = createServer(bare, (app) => {
    app.register(async (api) => {
      registerAdmission(api, bare);
      api.register(jsonResponses);
      api.register(jsonBodies);
      api.register(async (routes) => register(routes));
    });
  });
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
  return { ...server, url };
}
