import type { Database } from '../../database/database.ts';
import { type HandlerResponse, type Route, route } from '../../http/route.ts';
import { Type } from '../../lib/schema.ts';

export interface HealthDeps {
  readonly database: Database;
  /** True once the process is about to stop: traffic should go elsewhere. */
  readonly isDraining: () => boolean;
}

const MEDIA_TYPE = 'application/health+json';
const healthSchema = Type.Object({ status: Type.Unsafe<string>({ type: 'string', enum: ['pass', 'fail'] }) });

/** Says whether, never why: neither version nor dependency is shown to the public (OWASP ASVS 5.0, 13.4.6). */
export function healthRoutes({ database, isDraining }: HealthDeps): Route[] {
  const live = async () => health(true);
  const ready = async () => health(!isDraining() && (await canAsk(database)));
  return [
    healthRoute('/livez', 'getLiveness', 'Check that the process is running', live),
    healthRoute(
      '/readyz',
      'getReadiness',
      'Check that requests can be served: the database is reachable and the process is not stopping',
      ready,
    ),
    healthRoute('/healthz', 'getHealth', 'Same as /readyz', ready),
  ];
}

function healthRoute(
  path: `/${string}`,
  operationId: string,
  summary: string,
  handle: () => Promise<HandlerResponse>,
) {
  return route({
    method: 'GET',
    path,
    operationId,
    tag: 'Operation',
    summary,
    access: 'public',
    limits: 'none',
    isProbe: true,
    mediaType: MEDIA_TYPE,
    responses: {
      200: { description: 'The check passes.', schema: healthSchema, examples: { pass: { status: 'pass' } } },
      503: { description: 'The check fails.', schema: healthSchema, examples: { fail: { status: 'fail' } } },
    },
    handle,
  });
}

function health(passes: boolean): HandlerResponse {
  return {
    status: passes ? 200 : 503,
    headers: { 'content-type': MEDIA_TYPE },
    body: JSON.stringify({ status: passes ? 'pass' : 'fail' }),
  };
}

async function canAsk(database: Database): Promise<boolean> {
  try {
    await database.ping();
    return true;
  } catch {
    return false;
  }
}
