/** The bundled scripts and style sheets of the pages (build-web.ts). */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** Sources of the pages. */
export const WEB = join(ROOT, 'web');
/** Where the bundles are. */
export const DIST = join(ROOT, 'dist', 'web');
export const MANIFEST = 'manifest.json';

export interface Manifest {
  /** File names by entry; the first script is the one to load, the others are imported by it. */
  readonly entries: Readonly<
    Record<string, { readonly scripts: readonly string[]; readonly styles: readonly string[] }>
  >;
  readonly files: readonly string[];
}

/** Returns the manifest of the last build. @throws when there is none */
export function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(DIST, MANIFEST), 'utf8'));
}

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
