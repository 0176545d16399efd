/** Memory of clients that keep a stream of events open while nothing happens. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Finding } from '../load/findings.ts';
import { ADMIN_TOKEN } from '../load/requests.ts';
import { ANY_CORE, createServiceEnvironment, SERVICE, withStage } from '../processes/stage.ts';

const STREAMS = 1_000;
/** Opened at once. */
const BATCH_SIZE = 10;
/** Longer than the pause between two comments. */
const REST_MS = 12_000;
const MAX_MEGABYTES = 50;
const REQUEST = `GET /api/v1/events/stream HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${ADMIN_TOKEN}\r\n\r\n`;

/** Measures how much resident memory 1,000 idle streams need. */
export function measureStreams(): Promise<Finding[]> {
  return withStage(async (stage) => {
    // Opening so many at once delays the event loop.
    const environment = {
      ...createServiceEnvironment(join(stage.directory, 'service')),
      LOAD_SHEDDING_MS: 'off',
    };
    const server = await stage.server(SERVICE, environment, ANY_CORE);
    // The first stream loads what all of them share.
    const clients = [await openStream(server.port)];
    await pause(REST_MS);
    const before = server.memory();
    while (clients.length <= STREAMS) {
      const batch = Array.from({ length: BATCH_SIZE }, () => openStream(server.port));
      clients.push(...(await Promise.all(batch)));
    }
    await pause(REST_MS);
    const more = server.memory() - before;
    const open = clients.filter(({ destroyed }) => !destroyed).length - 1;
    for (const client of clients) client.destroy();
    const what = `${STREAMS.toLocaleString('en')} idle streams of events`;
    const figures = { 'MB before': before, 'MB more': more, 'KB each': (more * 1_000) / STREAMS, open };
    return [{ bench: 'streams', what, figures, target: { figure: 'MB more', atMost: MAX_MEGABYTES } }];
  });
}

/** Resolves when the response has begun. */
async function openStream(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(REQUEST);
  const [head] = await once(socket, 'data');
  if (!String(head).startsWith('HTTP/1.1 200 ')) throw new Error(`Not a stream: ${head}`);
  return socket.resume();
}
