/** The bundled scripts and style sheets of the pages (build-web.ts). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
export const MANIFEST = 'manifest.json';

export interface WebDirectories {
  readonly sources: string;
  /** Directory of the bundles and the manifest. */
  readonly bundles: string;
}

export const WEB_DIRECTORIES: WebDirectories = {
  sources: join(ROOT, 'web'),
  bundles: join(ROOT, 'dist', 'web'),
};

export interface Manifest {
  /** File names by entry; the first script is the one to load, the others are imported by it. */
  readonly entries: Readonly<Record<string, Record<'scripts' | 'styles' | 'images', readonly string[]>>>;
  readonly files: readonly string[];
  /** Sources outside of web/, relative to it. */
  readonly shared?: readonly string[];
}

let manifest: Manifest | undefined;

/** Returns the manifest of the build that this process serves: the first that it has read. @throws when there is none */
export function readManifest(): Manifest {
  manifest ??= JSON.parse(readFileSync(join(WEB_DIRECTORIES.bundles, MANIFEST), 'utf8')) as Manifest;
  return manifest;
}
