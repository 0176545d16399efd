/** A receiver of webhooks that responds at once, or on `/slow` after a second. Returns its port and what it counts. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveJobs } from '../load/jobs.ts';

export interface ReceiverResult {
  readonly port: number;
  /** Deliveries to other paths than `/slow` since the start. */
  readonly received: number;
  /** Seconds from the first to the last of them. */
  readonly seconds: number;
}

const SLOW_MS = 1_000;
let [received, firstAt, lastAt] = [0, 0, 0];

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const respond = () => response.writeHead(204).end();
    if (request.url === '/slow') return void setTimeout(respond, SLOW_MS);
    lastAt = performance.now();
    if (received++ === 0) firstAt = lastAt;
    respond();
  });
});
const listening = new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

serveJobs(async (_: object): Promise<ReceiverResult> => {
  await listening;
  const { port } = server.address() as AddressInfo;
  return { port, received, seconds: (lastAt - firstAt) / 1_000 };
});
