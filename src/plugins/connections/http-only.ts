/**
 * Rejects methods of other protocols with the response to malformed requests. Node's parser accepts those of RTSP, which
 * no router knows.
 */
import type { RequestListener } from 'node:http';
import { METHODS } from '../../lib/node-http.ts';
import { Problem } from '../../problems/problem.ts';
import type { Headers } from '../default-headers/default-headers.ts';
import { parserProblem } from './client-errors.ts';
import type { Connections } from './connections.ts';

const HTTP_METHODS: ReadonlySet<string | undefined> = new Set(METHODS);

export interface HttpOnlyOptions {
  readonly handler: RequestListener;
  readonly connections: Connections;
  readonly headers: Headers;
}

export function httpOnly({ handler, connections, headers }: HttpOnlyOptions): RequestListener {
  return (request, response) => {
    if (HTTP_METHODS.has(request.method)) {
      handler(request, response);
      return;
    }
    const connection = connections.get(request.socket);
    if (connection !== undefined) connection.isEnding = true;
    const problem = new Problem('malformed_request', { closesConnection: true });
    const { status, fields, body } = parserProblem(problem, headers);
    response.writeHead(status, fields).end(body);
  };
}
