/** Keeps the bundles of the pages up to date with their sources. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DIST, MANIFEST, WEB } from './assets.ts';

/** Bundles the pages if that has not been done, or if a source has changed since. @throws the errors of the build */
export async function ensureBuilt(): Promise<void> {
  if (!isOutdated()) return;
  // Loaded only here: the bundler would delay every start.
  const { buildWeb } = await import('./build-web.ts');
  await buildWeb();
}

function isOutdated(): boolean {
  const built = statSync(join(DIST, MANIFEST), { throwIfNoEntry: false });
  return built === undefined || sources().some((path) => statSync(path).mtimeMs > built.mtimeMs);
}

/** Everything in web/ but tests, and the bundler's settings. */
function sources(): string[] {
  const files = readdirSync(WEB, { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile() && !/\.test\.tsx?$/.test(file.name));
  return [
    ...paths.map(({ parentPath, name }) => join(parentPath, name)),
    join(import.meta.dirname, 'build-web.ts'),
  ];
}
