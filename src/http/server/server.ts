/** The HTTP server: Node's own, with limits for whoever is slow or sends too much. */
import type { Server } from 'node:http';
import { createServer as createHttpServer } from '../node-http.ts';
import { createPipeline, type PipelineOptions } from '../pipeline.ts';
import { type ApiResponse, apiResponseClass } from '../response/default-headers.ts';
import type { Route } from '../route.ts';
import { createClientErrorAnswer } from './client-errors.ts';

const HEADER_LIMIT_BYTES = 16_384;
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 15_000;
const TIMEOUT_CHECK_MS = 2_000;
const IDLE_TIMEOUT_MS = 75_000;

/** Gives the server, which does not listen yet. */
export function createServer(routes: readonly Route[], options: PipelineOptions): Server {
  const { publicUrl, corsOrigins, isDraining } = options;
  const standing = { tls: publicUrl.startsWith('https:'), cors: corsOrigins.length > 0 };
  const server = createHttpServer(
    {
      ServerResponse: apiResponseClass(standing, isDraining),
      maxHeaderSize: HEADER_LIMIT_BYTES,
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      keepAliveTimeout: IDLE_TIMEOUT_MS,
      optimizeEmptyRequests: true,
      // Checked on arrival, where the refusal gets its body.
      requireHostHeader: false,
      // A field that may come once and comes twice is then no longer what it should be, and refused for that.
      joinDuplicateHeaders: true,
    },
    createPipeline(routes, options),
  );
  server.on('clientError', createClientErrorAnswer(standing));
  // The client is told to go on when its body is about to be read, not before it is known whether it will be.
  server.on('checkContinue', (request, response) => {
    (response as ApiResponse).awaitsContinue = true;
    server.emit('request', request, response);
  });
  // A client that closes its side after its last request still reads. Node does not document the switch.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Any expectation but 100-continue is one that we need not meet (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}
