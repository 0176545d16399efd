/** Rules for what `npm ci` installs: packages that the lock file pins, and no install script that fetches. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const readJson = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly bin?: Readonly<Record<string, string>>;
  /** Whether it is a link to a workspace. */
  readonly link?: boolean;
}

const manifest = readJson('package.json');
const packages: [string, LockedPackage][] = Object.entries(readJson('package-lock.json').packages);
const workspaces: readonly string[] = ['', ...manifest.workspaces];
/** All but those of this repository. */
const dependencies = packages.filter(([path, { link }]) => !link && !workspaces.includes(path));

describe('package-lock.json', () => {
  test('package-lock.json has an SHA-512 of every package', () => {
    const unpinned = dependencies.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
    assert.deepEqual(unpinned, []);
  });

  test('package-lock.json pins the packages that contain Node, all at the same version of the required release', () => {
    const runtimes = dependencies.filter(([, { bin }]) => bin !== undefined && 'node' in bin);
    assert.deepEqual(
      runtimes.map(([path]) => path.replace('node_modules/', '')),
      Object.keys(manifest.optionalDependencies),
    );
    const versions = new Set(runtimes.map(([, { version }]) => version));
    assert.deepEqual([...versions], [process.version.slice(1)]);
  });
});

describe('install scripts', () => {
  const allowed = Object.keys(manifest.allowScripts).filter((name) => manifest.allowScripts[name]);
  /** Modules with which a script could fetch something or start a program that does. */
  const fetches = /\b(?:https?|net|tls|dgram|http2|child_process|worker_threads|undici)['"]|\bfetch\s*\(/;

  test('install scripts are allowed for packages of the lock file only', () => {
    const known = new Set(dependencies.map(([path]) => path.replace('node_modules/', '')));
    assert.deepEqual(
      allowed.filter((name) => !known.has(name)),
      [],
    );
  });

  for (const name of allowed.filter((each) => existsSync(join(ROOT, 'node_modules', each)))) {
    test(`install scripts of ${name} run one file that neither fetches nor starts a program`, () => {
      const { scripts } = readJson(`node_modules/${name}/package.json`);
      const commands = ['preinstall', 'install', 'postinstall'].map((step) => scripts[step]).filter(Boolean);
      assert.equal(commands.length, 1);
      const file = /^node (scripts\/[\w-]+\.js)$/.exec(commands[0])?.[1];
      assert.ok(file !== undefined, commands[0]);
      assert.ok(readdirSync(join(ROOT, 'node_modules', name, 'scripts')).includes(file.split('/')[1]!));
      assert.doesNotMatch(readFileSync(join(ROOT, 'node_modules', name, file), 'utf8'), fetches);
    });
  }
});
