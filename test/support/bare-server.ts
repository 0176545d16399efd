/** An HTTP server without the service, for routes of a test and only the options that the test needs. */

import type { Route } from '../../src/http/route.ts';
import { createServer, type HttpServer, type ServerOptions } from '../../src/http/server/server.ts';
import { createLog } from '../../src/lib/log.ts';

export interface BareServer extends HttpServer {
  readonly url: string;
}

/** Starts the server. The caller closes `app`. */
export async function startBareServer(
  options: Partial<ServerOptions> = {},
  routes: readonly Route[] = [],
): Promise<BareServer> {
  const none = { beforeAuthentication: () => undefined, afterAuthentication: () => undefined };
  const bare = {
    logger: createLog('silent'),
    publicUrl: '',
    corsOrigins: [],
    trustProxy: [],
    sharedSchemas: [],
    loadSheddingMs: null,
    isDraining: () => false,
    onResponse: () => {},
    limiter: { ...none, credentialRejected: async () => {} },
    isAdmin: () => false,
    findToken: async () => undefined,
    findConsoleSession: null,
    clock: Date.now,
  };
  const server = createServer(routes, { ...bare, ...options } as unknown as ServerOptions);
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
  return { ...server, url };
}
