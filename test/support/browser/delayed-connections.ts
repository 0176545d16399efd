/** A network between browser and service: every byte arrives later, in both directions. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import type { TestContext } from 'node:test';

/**
 * Starts a relay before the service at this URL, and returns the URL of the relay. A response arrives `latencyMs` after
 * its request was sent, and later than the service takes.
 */
export async function startDelayedConnections(
  context: TestContext,
  url: string,
  latencyMs: number,
): Promise<string> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const open = (socket: Socket) => {
    sockets.add(socket.on('error', () => socket.destroy()));
    return socket;
  };
  const relay = createServer((browser) => {
    const service = open(connect(Number(port), hostname));
    for (const [from, to] of [
      [open(browser), service],
      [service, browser],
    ] as const) {
      from.pipe(createDelay(latencyMs / 2)).pipe(to);
      from.on('close', () => to.end());
    }
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    for (const socket of sockets) socket.destroy();
    relay.close();
  });
  return `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
}

/** Creates a stream from which all that is written comes after the time, in the same order. */
function createDelay(milliseconds: number): Transform {
  return new Transform({
    transform(chunk, _encoding, next) {
      setTimeout(() => next(null, chunk), milliseconds);
    },
  });
}
