import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Database } from '../../../database/database.ts';
import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import { describeContent } from '../../../plugins/openapi/describe-response.ts';

export interface HealthDeps {
  readonly database: Database;
  /** True once the process has begun to stop: load balancers should send requests elsewhere. */
  readonly isDraining: () => boolean;
}

const MEDIA_TYPE = 'application/health+json';
const healthSchema = {
  type: 'object',
  title: 'Health',
  required: ['status'],
  properties: { status: { type: 'string', enum: ['pass', 'fail'] } },
} as const satisfies JsonSchema;

/** Health checks. They report only pass or fail: versions and dependencies are not public (OWASP ASVS 5.0, 13.4.6). */
export const health: FeaturePlugin<HealthDeps> = async (app, { database, isDraining }) => {
  const isReady = async () => !isDraining() && (await isReachable(database));
  addCheck(app, {
    path: '/livez',
    operationId: 'getLiveness',
    summary: 'Check that the process is running',
    passes: async () => true,
  });
  addCheck(app, {
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Check that requests can be served: the database is reachable and the process is not stopping',
    passes: isReady,
  });
  addCheck(app, { path: '/healthz', operationId: 'getHealth', summary: 'Same as /readyz', passes: isReady });
};

interface HealthCheck {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly passes: () => Promise<boolean>;
}

type AnyInstance = Pick<FastifyInstance, 'get'>;

function addCheck(app: AnyInstance, { path, operationId, summary, passes }: HealthCheck): void {
  const response = {
    200: describeOutcome('pass', 'The check passes.'),
    503: describeOutcome('fail', 'The check fails.'),
  };
  const schema = { operationId, summary, tags: ['Operation'], response };
  const config = { access: 'public', limits: 'none' } as const;
  app.get(path, { schema, config }, async (_request, reply) => sendOutcome(reply, await passes()));
}

function describeOutcome(status: 'pass' | 'fail', description: string) {
  return describeContent(MEDIA_TYPE, healthSchema, { description, examples: { [status]: { status } } });
}

function sendOutcome(reply: FastifyReply, passes: boolean): FastifyReply {
  const text = JSON.stringify({ status: passes ? 'pass' : 'fail' });
  // As bytes, because Fastify would add a charset to a text.
  return reply
    .code(passes ? 200 : 503)
    .header('content-type', MEDIA_TYPE)
    .send(Buffer.from(text));
}

async function isReachable(database: Database): Promise<boolean> {
  try {
    await database.ping();
    return true;
  } catch {
    return false;
  }
}
