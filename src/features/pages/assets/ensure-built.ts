/** Keeps the bundles of the pages up to date with their sources. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST, type Manifest, WEB_DIRECTORIES, type WebDirectories } from './assets.ts';

/** Bundles the pages if that has not been done, or if a source has changed since. @throws the errors of the build */
export async function ensureBuilt(directories: WebDirectories = WEB_DIRECTORIES): Promise<void> {
  if (!isOutdated(directories)) return;
  // Loaded only here: the bundler would delay every start.
  const { buildWeb } = await import('./build-web.ts');
  await buildWeb(directories);
}

/** Returns whether there are no bundles, or a source (other than tests and generated types) is newer than they are. */
export function isOutdated({ sources, bundles }: WebDirectories): boolean {
  const manifest = join(bundles, MANIFEST);
  const built = statSync(manifest, { throwIfNoEntry: false });
  if (built === undefined) return true;
  const { shared = [] }: Partial<Manifest> = JSON.parse(readFileSync(manifest, 'utf8'));
  const paths = [...listPaths(sources), ...shared.map((path) => join(sources, path))];
  return paths.some((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > built.mtimeMs);
}

function listPaths(sources: string): string[] {
  const files = readdirSync(sources, { recursive: true, withFileTypes: true });
  const shown = files.filter((file) => file.isFile() && !/\.(?:test|d)\.ts$/.test(file.name));
  return [
    ...shown.map(({ parentPath, name }) => join(parentPath, name)),
    join(import.meta.dirname, 'build-web.ts'),
  ];
}
