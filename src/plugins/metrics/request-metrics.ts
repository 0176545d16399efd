/** Reports each response to the metrics. Registered only if they are on. */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { toPathTemplate } from '../../lib/routes/path-template.ts';
import type { ProblemCode } from '../../problems/problem.ts';

export interface ObservedResponse {
  readonly method: string;
  /** Template of the path; null if there is no such route: clients choose the path and the method. */
  readonly route: string | null;
  readonly status: number;
  readonly seconds: number;
  readonly problem: ProblemCode | null;
}

export interface RequestObserver {
  responded(response: ObservedResponse): void;
  streamsChanged(by: 1 | -1): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Code of the error response. */
    problemCode: ProblemCode | null;
  }
}

const STREAM = '/api/v1/events/stream';

export const requestMetrics = fp<{ readonly observer: RequestObserver }>(async (app, { observer }) => {
  const templates = new Map<string, string>();
  const getRoute = ({ routeConfig }: FastifyRequest): string | null => {
    if (routeConfig?.url === undefined || routeConfig.isFallback) return null;
    const { url } = routeConfig;
    const template = templates.get(url) ?? toPathTemplate(url);
    templates.set(url, template);
    return template;
  };
  app.addHook('onRequest', (request, reply, done) => {
    done();
    if (request.routeConfig?.url !== STREAM) return;
    observer.streamsChanged(1);
    reply.raw.once('close', () => observer.streamsChanged(-1));
  });
  app.addHook('onResponse', (request, reply, done) => {
    done();
    observer.responded({
      method: request.method,
      route: getRoute(request),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
      problem: request.problemCode,
    });
  });
});
