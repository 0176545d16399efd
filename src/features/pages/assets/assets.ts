/** The bundled scripts and style sheets of the pages (build-web.ts). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
export const PICTURES_DIRECTORY = join(ROOT, 'docs', 'images');
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

export interface PageFrame {
  /** Path of PUBLIC_URL, below which a proxy serves the service; without a trailing slash. */
  readonly basePath: string;
  readonly hasConsole: boolean;
}

export function getBasePath(publicUrl: string): string {
  return publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}

export interface PageFiles {
  readonly styles: readonly string[];
  /** The script of the colour scheme, which runs before the page is painted. */
  readonly themeScripts: readonly string[];
  /** Scripts that run when the page has been parsed. The page is complete without them. */
  readonly moduleScripts: readonly string[];
  readonly icons: readonly string[];
}

/** Returns the files of a page that the service renders: none as long as they have not been built. */
export function pageFiles(entry: 'documents' | 'account', basePath: string): PageFiles {
  try {
    const { style, theme, favicon, [entry]: own } = readManifest().entries;
    const urls = (files: readonly string[]) => files.map((file) => `${basePath}/assets/${file}`);
    return {
      styles: urls([...style!.styles, ...own!.styles]),
      themeScripts: urls(theme!.scripts),
      moduleScripts: urls(own!.scripts.slice(0, 1)),
      icons: urls(favicon!.images),
    };
  } catch {
    return { styles: [], themeScripts: [], moduleScripts: [], icons: [] };
  }
}
