/**
 * A receiver of webhooks that responds at once, on `/slow` after a second, and on `/hang` never. Returns what it has
 * received since the last job.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveJobs } from '../load/jobs.ts';

export interface ReceiverResult {
  readonly port: number;
  /** Ids of deliveries to other paths than `/slow` and `/hang`, with the time of the first receipt of each. */
  readonly receipts: ReadonlyMap<string, number>;
}

const SLOW_MS = 1_000;
let receipts = new Map<string, number>();

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const respond = () => response.writeHead(204).end();
    if (request.url === '/hang') return;
    if (request.url === '/slow') return void setTimeout(respond, SLOW_MS);
    const id = request.headers['webhook-id'];
    if (typeof id === 'string' && !receipts.has(id))
      receipts.set(id, performance.timeOrigin + performance.now());
    respond();
  });
});
const listening = new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

serveJobs(async (_: object): Promise<ReceiverResult> => {
  await listening;
  const { port } = server.address() as AddressInfo;
  const result = { port, receipts };
  receipts = new Map();
  return result;
});
