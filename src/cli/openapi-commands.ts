/** Commands about the OpenAPI description. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createLog } from '../lib/log/log.ts';
import type { CommandContext } from './context.ts';

/** Adds the commands. */
export function addOpenApiCommands(program: Command, context: CommandContext): void {
  program
    .command('openapi')
    .description('print the OpenAPI description of the API')
    .action(() => printDescription(context));
}

/** Prints the description that a service started for this purpose returns: the one that clients see. */
async function printDescription({ readSettings, print }: CommandContext): Promise<void> {
  const config = readSettings();
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-openapi-'));
  const logger = createLog('silent');
  const overrides = {
    dataDir,
    databaseUrl: null,
    host: '127.0.0.1',
    port: 0,
    shutdownDelaySeconds: 0,
    // On a busy machine the start itself delays the event loop.
    loadSheddingMs: null,
  };
  try {
    // Loaded only here: all other commands need a small part of the service.
    const { start } = await import('../startup/start.ts');
    const service = await start({ ...config, ...overrides }, logger);
    const response = await fetch(`${service.url}/openapi.json`);
    const body = await response.text();
    await service.stop();
    if (!response.ok) throw new Error(`The service responded with ${response.status}: ${body}`);
    print(JSON.stringify(JSON.parse(body), null, 2));
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}
