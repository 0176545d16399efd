/** Keeps the bundles of the pages up to date with their sources. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST, WEB_DIRECTORIES, type WebDirectories } from './assets.ts';

/** Bundles the pages if that has not been done, or if a source has changed since. @throws the errors of the build */
export async function ensureBuilt(directories: WebDirectories = WEB_DIRECTORIES): Promise<void> {
  if (!isOutdated(directories)) return;
  // Loaded only here: the bundler would delay every start.
  const { buildWeb } = await import('./build-web.ts');
  await buildWeb(directories);
}

/** Returns whether there are no bundles, or a source (other than tests and generated types) is newer than they are. */
export function isOutdated({ sources, bundles }: WebDirectories): boolean {
  const built = statSync(join(bundles, MANIFEST), { throwIfNoEntry: false });
  return built === undefined || listPaths(sources).some((path) => statSync(path).mtimeMs > built.mtimeMs);
}

function listPaths(sources: string): string[] {
  const files = readdirSync(sources, { recursive: true, withFileTypes: true });
  const shown = files.filter((file) => file.isFile() && !/\.(?:test|d)\.ts$/.test(file.name));
  return [
    ...shown.map(({ parentPath, name }) => join(parentPath, name)),
    join(import.meta.dirname, 'build-web.ts'),
  ];
}
