/** Memory and number of clients that pipeline requests and never read a response. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Finding } from '../load/findings.ts';
import type { Pace } from '../load/rounds.ts';
import { ANY_CORE, createServiceEnvironment, SERVICE, type Server, withStage } from '../processes/stage.ts';

const CLIENTS = 4_000;
const PIPELINED = 60;
const REQUESTS = 'GET /openapi.json HTTP/1.1\r\nHost: bench\r\n\r\n'.repeat(PIPELINED);
/** A stalled response is given up after 15 to 30 seconds. */
const DURATION_MS = 30_000;
const SAMPLE_MS = 250;
const MAX_MEGABYTES = 150;

/** Measures resident memory beside 4,000 such clients, and how many connections are left after 30 seconds. */
export function measureStalled(_pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const environment = createServiceEnvironment(join(stage.directory, 'service'));
    const server = await stage.server(SERVICE, environment, ANY_CORE);
    // The first response loads what all of them share.
    await (await fetch(`http://127.0.0.1:${server.port}/openapi.json`)).text();
    const before = server.memory();
    const clients = Array.from({ length: CLIENTS }, () => connectStalledClient(server.port));
    const peak = await measurePeakMemory(server);
    const left = countOpenConnections(server.port);
    for (const client of clients) client.destroy();
    return [
      {
        bench: 'stalled',
        what: `${CLIENTS.toLocaleString('en')} clients that pipeline ${PIPELINED} requests and never read`,
        figures: {
          'MB before': before,
          'MB at most': peak,
          'MB more': peak - before,
          'open after 30 s': left,
        },
        target: { figure: 'MB more', atMost: MAX_MEGABYTES },
      },
    ];
  });
}

function connectStalledClient(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.on('connect', () => socket.write(REQUESTS));
  return socket.pause();
}

async function measurePeakMemory(server: Server): Promise<number> {
  const end = performance.now() + DURATION_MS;
  let peak = 0;
  while (performance.now() < end) {
    peak = Math.max(peak, server.memory());
    await pause(SAMPLE_MS);
  }
  return peak;
}

/** Counts the established connections of the server, as Linux lists them: local address, remote address, state. */
function countOpenConnections(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  const fields = lines.map((line) => line.trim().split(/\s+/));
  return fields.filter(([, address, , state]) => address?.endsWith(local) && state === '01').length;
}
