/** Health checks of a node. */
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { recordSchema } from '../../lib/schema/json-schema.ts';
import { describeContent } from '../../plugins/openapi/describe-response.ts';

const MEDIA_TYPE = 'application/health+json';
const healthSchema = {
  title: 'Health',
  ...recordSchema({ status: { type: 'string', enum: ['pass', 'fail'] } }),
} as const;

/** Health checks. They report only pass or fail: versions and dependencies are not public (OWASP ASVS 5.0, 13.4.6). */
export const health: FeaturePlugin<{
  readonly database: Database;
  readonly isDraining: () => boolean;
}> = async (app, { database, isDraining }) => {
  const isReady = async () => !isDraining() && (await isReachable(database));
  const live = {
    path: '/livez',
    operationId: 'getLiveness',
    summary: 'Check that the process is running',
  };
  const ready = {
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Check that requests can be served: the database is reachable and the process is not stopping',
  };
  registerHealthCheck(app, live, async () => true);
  registerHealthCheck(app, ready, isReady);
  registerHealthCheck(
    app,
    { path: '/healthz', operationId: 'getHealth', summary: 'Same as /readyz' },
    isReady,
  );
};

function registerHealthCheck(
  app: Pick<FastifyInstance, 'get'>,
  check: { readonly path: string; readonly operationId: string; readonly summary: string },
  passes: () => Promise<boolean>,
): void {
  const { path, ...described } = check;
  const response = {
    200: describeOutcome('pass', 'The check passes.'),
    503: describeOutcome('fail', 'The check fails.'),
  };
  const description = 'Needs no credential, and counts against no limit.';
  const schema = { ...described, description, tags: ['Operation'], response };
  app.get(path, { schema, config: { access: 'public', limits: 'none' } }, async (_request, reply) => {
    const [code, status] = (await passes()) ? ([200, 'pass'] as const) : ([503, 'fail'] as const);
    // As bytes, because Fastify would add a charset to a text.
    const body = Buffer.from(JSON.stringify({ status }));
    return reply.code(code).header('content-type', MEDIA_TYPE).send(body);
  });
}

function describeOutcome(status: 'pass' | 'fail', description: string) {
  return describeContent(MEDIA_TYPE, healthSchema, { description, examples: { [status]: { status } } });
}

function isReachable(database: Database): Promise<boolean> {
  return database.ping().then(
    () => true,
    () => false,
  );
}
