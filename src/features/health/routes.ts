import type { Database } from '../../database/database.ts';
import type { JsonSchema } from '../../lib/json-schema.ts';
import { type HandlerResponse, type Route, route } from '../../http/route.ts';

export interface HealthDeps {
  readonly database: Database;
  /** True once the process has begun to stop: load balancers should send requests elsewhere. */
  readonly isDraining: () => boolean;
}

const MEDIA_TYPE = 'application/health+json';
const healthSchema = {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', enum: ['pass', 'fail'] } },
} as const satisfies JsonSchema;

/** Health checks. They report only pass or fail: versions and dependencies are not public (OWASP ASVS 5.0, 13.4.6). */
export function healthRoutes({ database, isDraining }: HealthDeps): Route[] {
  const live = async () => health(true);
  const ready = async () => health(!isDraining() && (await isReachable(database)));
  return [
    healthRoute({
      path: '/livez',
      operationId: 'getLiveness',
      summary: 'Check that the process is running',
      handle: live,
    }),
    healthRoute({
      path: '/readyz',
      operationId: 'getReadiness',
      summary: 'Check that requests can be served: the database is reachable and the process is not stopping',
      handle: ready,
    }),
    healthRoute({ path: '/healthz', operationId: 'getHealth', summary: 'Same as /readyz', handle: ready }),
  ];
}

type HealthCheck = Pick<Route, 'path' | 'operationId' | 'summary' | 'handle'>;

function healthRoute(check: HealthCheck): Route {
  return route({
    ...check,
    method: 'GET',
    tag: 'Operation',
    access: 'public',
    limits: 'none',
    isProbe: true,
    mediaType: MEDIA_TYPE,
    responses: {
      200: { description: 'The check passes.', schema: healthSchema, examples: { pass: { status: 'pass' } } },
      503: { description: 'The check fails.', schema: healthSchema, examples: { fail: { status: 'fail' } } },
    },
  });
}

function health(passes: boolean): HandlerResponse {
  return {
    status: passes ? 200 : 503,
    headers: { 'content-type': MEDIA_TYPE },
    body: JSON.stringify({ status: passes ? 'pass' : 'fail' }),
  };
}

async function isReachable(database: Database): Promise<boolean> {
  try {
    await database.ping();
    return true;
  } catch {
    return false;
  }
}
