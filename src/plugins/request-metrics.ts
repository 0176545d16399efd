/** Reports each response to the metrics. Registered only if they are on. */
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import { toPathTemplate } from '../lib/routes/routes.ts';
import type { ProblemCode } from '../problems/problem.ts';

/** Reports the response to a request of one route. */
export type ReportResponse = (
  response: { readonly status: number; readonly isSignedIn: boolean; readonly problem: ProblemCode | null },
  seconds: number,
) => void;

export interface RequestObserver {
  /** `route`: template of the path; null for all that is no route: clients choose the path and the method. */
  observeRoute(method: string, route: string | null): ReportResponse;
  streamsChanged(by: 1 | -1): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Code of the error response. */
    problemCode: ProblemCode | null;
    /** Whether it has started a session of a person: redirects to further questions have not. */
    isSignedIn: boolean;
  }
}

const STREAM = '/api/v1/events/stream';

export const requestMetrics = fp<{ readonly observer: RequestObserver }>(async (app, { observer }) => {
  const reportUnknown = observer.observeRoute('', null);
  // By the configuration of the route: looking for labels at each request would take most of the time.
  const reports = new WeakMap<object, ReportResponse>();
  const createReport = ({ routeConfig, method }: FastifyRequest): ReportResponse => {
    if (routeConfig?.url === undefined || routeConfig.unsupported) return reportUnknown;
    const report = observer.observeRoute(method, toPathTemplate(routeConfig.url));
    reports.set(routeConfig, report);
    return report;
  };
  app.addHook('onRoute', (route) => {
    if (route.url !== STREAM) return;
    const countStream: onRequestHookHandler = (_, reply, done) => {
      done();
      observer.streamsChanged(1);
      reply.raw.once('close', () => observer.streamsChanged(-1));
    };
    route.onRequest = [countStream, ...[route.onRequest ?? []].flat()];
  });
  app.addHook('onResponse', (request, reply, done) => {
    done();
    const report = reports.get(request.routeConfig ?? reports) ?? createReport(request);
    const { problemCode: problem, isSignedIn } = request;
    report({ status: reply.statusCode, isSignedIn, problem }, reply.elapsedTime / 1_000);
  });
});
