/** The metrics of the process and their listener: apart from that of the service, so that nobody else reaches it. */
import fastify, { type FastifyInstance } from 'fastify';
import { ConfigError } from '../../config.ts';
import { withErrorCount } from '../../database/count-errors.ts';
import type { Database } from '../../database/database.ts';
import type { Log } from '../../lib/log/log.ts';
import type { RequestObserver } from '../../plugins/request-metrics.ts';
import { createGauges, type GaugeDeps } from './gauges.ts';

/** Without METRICS_PORT: costs nothing. */
const OFF = {
  observer: null as RequestObserver | null,
  jobAttempted: undefined,
  countErrors: (database: Database): Database => database,
  addGauges: (_: GaugeDeps): void => {},
  close: async (): Promise<void> => {},
};

export type OpenMetrics = Awaited<ReturnType<typeof openMetrics>>;

/** Listens at `address` until `close` is called; without one, there are no metrics. @throws ConfigError */
export async function openMetrics(
  address: { readonly host: string; readonly port: number } | null,
  logger: Log,
) {
  if (address === null) return OFF;
  // Loaded only when used.
  const { createMetrics } = await import('./metrics.ts');
  const { registry, databaseFailed, addGauges, ...metrics } = createMetrics();
  const app = fastify({ forceCloseConnections: true });
  app.get('/metrics', async (_, reply) => reply.type(registry.contentType).send(await registry.metrics()));
  const url = await listen(app, address);
  logger.info({ url: `${url}/metrics` }, 'metrics are served');
  return {
    ...metrics,
    countErrors: (database: Database) => withErrorCount(database, databaseFailed),
    addGauges: (deps: GaugeDeps) => addGauges(createGauges(deps)),
    close: async (): Promise<void> => app.close(),
  };
}

async function listen(app: FastifyInstance, address: { readonly host: string }): Promise<string> {
  try {
    return await app.listen(address);
  } catch (error) {
    await app.close();
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError('METRICS_PORT', `cannot be listened on with METRICS_HOST ${address.host}: ${code}`);
  }
}
