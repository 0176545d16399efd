/** Waits for a started server. */
import type { ChildProcess } from 'node:child_process';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 2;
const DEADLINE_MS = 30_000;

/** Returns a port that is free now. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Polls /readyz until the status is 200. @throws when the process ends, or takes too long */
export async function waitUntilReady(port: number, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while ((await fetchStatus(port)) !== 200) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error('A server did not become ready');
    await pause(POLL_MS);
  }
}

function fetchStatus(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = get({ port, host: '127.0.0.1', path: '/readyz', agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    request.on('error', () => resolve(undefined));
  });
}
