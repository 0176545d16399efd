/**
 * Signs in with clients of OpenID Connect that others have written, and writes docs/clients.md: `npm run test:clients`,
 * or with names of clients to run these only, without writing. It installs npm's packages into a temporary folder and
 * uses those of Debian that are installed; others keep their row of the last run. Everything is on this machine.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Attempt, type Client, clients } from './clients.ts';
import { type Issuer, startIssuer } from './service.ts';
import { type Row, writeTable } from './table.ts';
import { tryClient } from './try-client.ts';

const DIRECTORY = join(tmpdir(), 'frontdesk-clients');

async function main(names: readonly string[]): Promise<void> {
  install();
  const issuer = await startIssuer(DIRECTORY);
  const rows: Row[] = [];
  const chosen = clients.filter(
    ({ name }) => names.length === 0 || names.some((part) => name.includes(part)),
  );
  for (const client of chosen) {
    const version = findVersion(client);
    if (version === null)
      console.log(`${client.name}: skipped, the package ${client.debian} is not installed`);
    else rows.push(await testClient(issuer, client, version));
  }
  await issuer.stop();
  const [defaults, settings, never] = (['defaults', 'settings', 'no'] as const).map(
    (works) => rows.filter((row) => row.works === works).length,
  );
  console.log(`${rows.length} clients: ${defaults} with defaults, ${settings} with settings, ${never} not`);
  if (names.length === 0) writeTable(rows);
  process.exit(rows.some(({ works, expected }) => works === 'no' && !expected) ? 1 : 0);
}

/** Tries the defaults, then one attempt after the other. */
async function testClient(issuer: Issuer, client: Client, version: string): Promise<Row> {
  const attempts: readonly Attempt[] = [{}, ...(client.attempts ?? [])];
  for (const attempt of attempts) {
    const { text = 'defaults' } = attempt;
    try {
      await tryClient({ issuer, directory: DIRECTORY, client, attempt });
      console.log(`${client.name} ${version}: works with ${text}`);
      const works = attempt.text === undefined ? 'defaults' : 'settings';
      return { name: client.name, version, works, text: attempt.text ?? '', expected: true };
    } catch (error) {
      console.log(
        `${client.name} ${version}: not with ${text}: ${String(error).replaceAll(/\s+/g, ' ').slice(0, 700)}`,
      );
    }
  }
  return {
    ...client,
    version,
    works: 'no',
    text: client.reason ?? 'unknown',
    expected: client.reason !== undefined,
  };
}

/** Installs the packages unless they are there, copies the drivers to them, and compiles the one in Go. */
function install(): void {
  const manifest = join(import.meta.dirname, 'package.json');
  const installed = join(DIRECTORY, 'package.json');
  mkdirSync(DIRECTORY, { recursive: true });
  if (!existsSync(installed) || !readFileSync(installed).equals(readFileSync(manifest))) {
    const options = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
    cpSync(manifest, installed);
    try {
      execFileSync('npm', options, { cwd: DIRECTORY, stdio: 'inherit' });
    } catch (error) {
      writeFileSync(installed, '{}');
      throw error;
    }
  }
  cpSync(join(import.meta.dirname, 'drivers'), DIRECTORY, { recursive: true });
  if (findDebianVersion('golang-github-coreos-go-oidc-dev') === null) return;
  const environment = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '' };
  execFileSync('go', ['build', '-o', 'go-oidc', 'go-oidc.go'], {
    cwd: DIRECTORY,
    env: environment,
    stdio: 'inherit',
  });
}

function findVersion({ npm, debian }: Client): string | null {
  if (npm === undefined) return findDebianVersion(debian!);
  const manifest = join(DIRECTORY, 'node_modules', npm, 'package.json');
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

/** Returns the version without that of the package. */
function findDebianVersion(name: string): string | null {
  try {
    const options = ['-W', `-f=$\{db:Status-Abbrev}$\{Version}`, name];
    const text = execFileSync('dpkg-query', options, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return text.startsWith('ii ')
      ? text
          .slice(3)
          .replace(/^\d+:/, '')
          .replace(/[-+].*$/, '')
      : null;
  } catch {
    return null;
  }
}

await main(process.argv.slice(2));
