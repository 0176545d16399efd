/** Commands about the API: its OpenAPI description and the table of its routes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createLog } from '../lib/log/log.ts';
import type { RouteEntry } from '../plugins/route-table.ts';
import type { Service } from '../startup/start.ts';
import { type CommandContext, formatTable } from './context.ts';

export function addDescriptionCommands(program: Command, context: CommandContext): void {
  program
    .command('openapi')
    .description('print the OpenAPI description of the API')
    .action(() => withService(context, (service) => printDescription(service, context)));
  program
    .command('routes')
    .description(
      'print every route with its access, the scopes that tokens and credentials need, whether the sign-in has to be recent, and its rate limits',
    )
    .action(() => withService(context, (service) => printRoutes(service, context)));
}

/** Calls `work` with a service that is started for this purpose, with the settings and an empty database. */
async function withService(
  { letReaderEnd, readSettings }: CommandContext,
  work: (service: Service) => Promise<void> | void,
): Promise<void> {
  letReaderEnd();
  const config = readSettings();
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-api-'));
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
    const service = await start({ ...config, ...overrides }, createLog('silent'));
    try {
      await work(service);
    } finally {
      await service.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

async function printDescription({ url }: Service, { printJson }: CommandContext): Promise<void> {
  const response = await fetch(`${url}/openapi.json`);
  const body = await response.text();
  if (!response.ok) throw new Error(`The service responded with ${response.status}: ${body}`);
  printJson(JSON.parse(body));
}

const HEADINGS = ['METHOD', 'PATH', 'ACCESS', 'SCOPE', 'RECENT SIGN-IN', 'LIMITS'] as const;

function printRoutes({ listRoutes }: Service, { print }: CommandContext): void {
  for (const line of formatTable([HEADINGS, ...listRoutes().map(toRow)])) print(line);
}

function toRow({ method, path, config }: RouteEntry): readonly string[] {
  const { access, scope, adminScope, recentSignIn = '-' } = config;
  const { limits = ['anon'], userLimits = [], credentialLimits = [] } = config;
  const names = limits === 'none' ? [limits] : [...limits, ...userLimits, ...credentialLimits];
  // With access `optional`, the scope of users' tokens and then that of administrators' credentials.
  const scopes = [scope, adminScope].filter((each) => each !== undefined);
  const recent = typeof recentSignIn === 'function' ? 'by member' : recentSignIn;
  return [method, path, access!, scopes.join(', ') || '-', recent, names.join(', ')];
}
