/** The package of `npm pack`: its files, and the way of somebody who has nothing but the tarball. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { createApi } from '../support/api.ts';
import { newUserData } from '../support/service.ts';

const ROOT = join(import.meta.dirname, '../..');
const FIRST_RESPONSE_MS = 30_000;
const MAX_TARBALL_BYTES = 2.5 * 1024 ** 2;
const MIB = 1024 ** 2;
/** Names of files and directories that only those need who change the service. */
const DEVELOPMENT =
  /\.tsx?$|\.map$|\.test\.|^(?:bench|deploy|examples|src|test|web)\/|build-(?:command|package|web)|decisions/;
const LINE = /^Frontdesk listens on (\S+) /m;

const execute = promisify(execFile);
const directory = mkdtempSync(join(tmpdir(), 'frontdesk-package-'));
const home = join(directory, 'empty');
const cache = join(directory, 'cache');
/** Without the directories that npm adds for its scripts: the machine has its own Node, or another one. */
const PATH = process.env
  .PATH!.split(delimiter)
  .filter((path) => !path.includes('node_modules'))
  .join(delimiter);
const env = { PATH, HOME: directory, PORT: '0', npm_config_cache: cache, npm_config_prefer_offline: 'true' };

describe('the package', () => {
  let tarball: string;
  let files: readonly { path: string; size: number }[];
  let packed: { size: number; unpackedSize: number };

  before(async () => {
    mkdirSync(home);
    mkdirSync(cache);
    // Packages that this machine has already; what npx installs is removed with the rest.
    const { stdout: path } = await execute('npm', ['config', 'get', 'cache']);
    const known = join(path.trim(), '_cacache');
    if (existsSync(known)) symlinkSync(known, join(cache, '_cacache'));
    const { stdout } = await execute('npm', ['pack', '--silent', '--json', '--pack-destination', home], {
      cwd: ROOT,
      maxBuffer: 16 * MIB,
    });
    const report = JSON.parse(stdout);
    const [entry] = Array.isArray(report) ? report : Object.values(report);
    tarball = `./${entry.filename}`;
    files = entry.files;
    packed = entry;
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  test('the package has JavaScript, pages, documents, license and readme, no development files, and at most 2.5 MiB', (context) => {
    const paths = files.map(({ path }) => path);
    assert.deepEqual(
      paths.filter((path) => DEVELOPMENT.test(path)),
      [],
    );
    assert.deepEqual([...new Set(paths.map((path) => path.split('/')[0]))].sort(), [
      'LICENSE',
      'README.md',
      'bin',
      'dist',
      'docs',
      'package.json',
    ]);
    const sources = globSync('src/**/*.*', { cwd: ROOT }).filter(
      (path) => !/\.test\.ts$|build-(?:command|web|search-index)\.ts$/.test(path),
    );
    const built = sources.map((path) => path.replace(/^src/, 'dist').replace(/\.ts$/, '.js'));
    const bundles = JSON.parse(readFileSync(join(ROOT, 'dist/web/manifest.json'), 'utf8')).files.flatMap(
      (file: string) =>
        (file.endsWith('.woff2') ? [''] : ['', '.br', '.gz']).map(
          (extension) => `dist/web/${file}${extension}`,
        ),
    );
    const expected = [...built, ...bundles, 'dist/web/manifest.json'];
    assert.deepEqual(paths.filter((path) => path.startsWith('dist/')).sort(), expected.sort());
    assert.ok(packed.size < MAX_TARBALL_BYTES, `${packed.size}`);
    const mebibytes = (bytes: number) => (bytes / MIB).toFixed(1);
    context.diagnostic(
      `${files.length} files, ${mebibytes(packed.size)} MiB, unpacked ${mebibytes(packed.unpackedSize)} MiB`,
    );
  });

  test('the package imports files that it has', () => {
    for (const file of globSync('dist/**/*.js', { cwd: ROOT, exclude: ['dist/web'] })) {
      const code = readFileSync(join(ROOT, file), 'utf8');
      for (const [, path] of code.matchAll(/["'](\.\.?\/[\w./-]+\.(?:js|ts))["']/g)) {
        const imported = join(ROOT, file, '..', path!);
        assert.ok(existsSync(imported) || path!.endsWith('/build-web.js'), `${file}: ${path}`);
      }
      // Names of modules that are no quoted relative path: the build changes no others.
      const names = [...code.matchAll(/[\w-]+\.ts(?=["'`])/g)].map(([name]) => name);
      assert.deepEqual(
        names.filter((name) => name !== 'build-web.ts'),
        [],
        file,
      );
      assert.doesNotMatch(code, /npm run (?:-s )?cli/, file);
    }
  });

  test('the package starts in an empty folder within 30 seconds on the Node 26 that it brings, registers and shows a user, and runs commands', async (context) => {
    const started = Date.now();
    const service = spawn('npx', ['--yes', tarball], { cwd: home, env, detached: true });
    let isRunning = true;
    const closed = once(service, 'close').then(() => {
      isRunning = false;
    });
    context.after(() => isRunning && process.kill(-service.pid!, 'SIGKILL'));
    const api = createApi(await findUrl(service));
    assert.equal((await api.get('/readyz')).status, 200);
    const ms = Date.now() - started;
    context.diagnostic(`the first response came after ${(ms / 1000).toFixed(1)} s`);
    assert.ok(ms < FIRST_RESPONSE_MS, `${ms} ms`);

    // The threads that hash passwords, templates, texts, documents and pages are files of the package.
    const user = newUserData();
    const registered = await api.post('/api/register', user);
    assert.equal(registered.status, 201);
    const me = await api.get('/api/v1/me', { token: registered.body.access_token });
    assert.equal(me.body.data.email, user.email);
    for (const path of [
      '/docs/deployment',
      '/docs/images/events-dark.webp',
      '/account/reset-password?lang=de',
    ])
      assert.equal((await api.get(path)).status, 200, path);
    const missing = await api.get('/nothing', { headers: { accept: 'text/html' } });
    assert.equal(missing.status, 404);
    assert.match(missing.headers.get('content-type')!, /html/);
    const console = await api.get('/console');
    const [, script] = /<script type="module" src="([^"]+)"/.exec(console.text)!;
    assert.equal((await api.get(script!)).status, 200);

    const token = readFileSync(join(home, 'data/admin-token'), 'utf8').trim();
    const status = await api.get('/api/v1/admin/status', { token });
    assert.match(status.body.data.node_version, /^26\./);
    const verified = await execute('npx', ['--yes', tarball, 'events', 'verify'], { cwd: home, env });
    assert.match(verified.stdout, /complete|verified|valid/i);
    const help = await execute('npx', ['--yes', tarball, '--help'], { cwd: home, env });
    assert.match(help.stdout, /^Usage: frontdesk /);

    // As Ctrl+C does.
    process.kill(-service.pid!, 'SIGINT');
    await closed;
    assert.ok(!existsSync(join(home, 'data/frontdesk.db-wal')), 'the database was closed');
  });
});

function findUrl(child: ChildProcess): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    child.on('close', (code) => reject(new Error(`exited with ${code}: ${text}`)));
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const url = LINE.exec(text)?.[1];
        if (url !== undefined) resolve(url);
      });
  });
}
