/** Keeps the bundles of the pages up to date with their sources. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../../lib/log/log.ts';
import { MANIFEST, type Manifest, WEB_DIRECTORIES, type WebDirectories } from './assets.ts';

/** Builds the pages at the start of the service. A failure is logged: without its pages, the service does everything else. */
export async function buildPages(logger: Log, directories: WebDirectories = WEB_DIRECTORIES): Promise<void> {
  try {
    await ensureBuilt(directories);
  } catch (error) {
    // The build replaces the manifest last: the files that it names are complete.
    if (existsSync(join(directories.bundles, MANIFEST)))
      logger.warn(
        { err: error },
        'the pages have changed and could not be built: those of the last build are shown',
      );
    else logger.error({ err: error }, 'the console and the reference could not be built and cannot be shown');
  }
}

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
  // The package has the bundles only.
  if (!existsSync(sources)) return false;
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
