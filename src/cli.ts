/** Operator commands: `npm run cli -- <command>`. They call what the service itself calls. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { makeDataDirectory } from './config/data-directory.ts';
import { type Config, readConfig } from './config.ts';
import { migrate } from './database/migrate.ts';
import { openDatabase } from './database/open.ts';
import { acceptSecretKey, start } from './start.ts';

interface Command {
  readonly summary: string;
  run(config: Config): Promise<void>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  migrate: { summary: 'bring the database to the shape of this release', run: migrateDatabase },
  openapi: { summary: 'print the description of the API', run: printDescription },
  'accept-secret-key': {
    summary: 'let the database take the present SECRET_KEY, when the old one is lost',
    run: acceptPresentSecretKey,
  },
};

async function migrateDatabase(config: Config): Promise<void> {
  makeDataDirectory(config);
  const database = openDatabase(config);
  const applied = await migrate(database).finally(() => database.close());
  console.log(applied === 0 ? 'The database is up to date.' : `Applied ${applied} step(s).`);
}

/** Asks a service that runs for this purpose only, so that what is printed is what is served. */
async function printDescription(config: Config): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-openapi-'));
  const logger = pino({ level: 'silent' });
  const own = { dataDir, databaseUrl: null, host: '127.0.0.1', port: 0, shutdownDelaySeconds: 0 };
  try {
    const service = await start({ ...config, ...own }, logger);
    const response = await fetch(`${service.address}/openapi.json`);
    console.log(JSON.stringify(await response.json(), null, 2));
    await service.stop();
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

async function acceptPresentSecretKey(config: Config): Promise<void> {
  makeDataDirectory(config);
  await acceptSecretKey(config);
  console.log('The database has taken the present secret. Cursors made with the old one are refused.');
}

const [name = ''] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command === undefined) {
  const list = Object.entries(COMMANDS).map(([key, { summary }]) => `  ${key.padEnd(20)}${summary}`);
  console.error(`Usage: npm run cli -- <command>\n\n${list.join('\n')}`);
  process.exit(1);
}
try {
  process.umask(0o077);
  const config = readConfig(process.env);
  await command.run(config);
} catch (error) {
  console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
