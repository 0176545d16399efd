/** The bundled scripts and style sheets of the pages (build-web.ts). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CurrentSettings } from '../../../settings/run-time-settings.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
export const PICTURES_DIRECTORY = join(ROOT, 'docs', 'images');
export const MANIFEST = 'manifest.json';

/** `bundles`: directory of the bundles and the manifest. */
export type WebDirectories = typeof WEB_DIRECTORIES;

export const WEB_DIRECTORIES = {
  sources: join(ROOT, 'web'),
  bundles: join(ROOT, 'dist', 'web'),
};

export interface Manifest {
  /** File names by entry; the first script is the one to load, the others are imported by it. */
  readonly entries: Readonly<
    Record<string, Record<'scripts' | 'styles' | 'images' | 'fonts' | 'data', readonly string[]>>
  >;
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

export type PageFiles = ReturnType<typeof pageFiles>;

/** Returns the fonts of all texts; those with further letters are loaded where they occur. */
export function listMainFonts({ entries }: Manifest): readonly string[] {
  return (entries.style?.fonts ?? []).slice(0, 1);
}

/** Returns the element that loads a font before the style sheet names it. */
export function toFontPreload(url: string): string {
  return `<link rel="preload" href="${url}" as="font" type="font/woff2" crossorigin>`;
}

/** Returns the files of a page that the service renders: none as long as they have not been built. */
export function pageFiles(entry: 'documents' | 'account' | 'form', basePath: string) {
  try {
    const manifest = readManifest();
    const { style, theme, favicon, search, [entry]: own } = manifest.entries;
    const urls = (files: readonly string[]) => files.map((file) => `${basePath}/assets/${file}`);
    return {
      styles: urls([...style!.styles, ...own!.styles]),
      /** The script of the colour scheme, which runs before the page is painted. */
      themeScripts: urls(theme!.scripts),
      /** Run when the page, which is complete without them, has been parsed. */
      moduleScripts: urls(own!.scripts.slice(0, 1)),
      icons: urls(favicon!.images),
      /** The index of the search in documents. */
      search: urls(search!.data),
      fontPreloads: urls(listMainFonts(manifest)).map(toFontPreload),
    };
  } catch {
    return { styles: [], themeScripts: [], moduleScripts: [], icons: [], search: [], fontPreloads: [] };
  }
}

/**
 * Content security policy of pages with forms: scripts and styles of this service only, and Trusted Types without any
 * policy, so that a text never becomes HTML or a script.
 */
export const APP_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Returns the policy of a page whose form leads to this source afterwards: browsers also check redirects of forms. */
export const allowFormAction = (source: string) =>
  APP_POLICY.replace("form-action 'self'", `form-action 'self' ${source}`);

/** Returns the URL of the logo below the base path, another one for each logo; null if there is none. */
export function logoUrl({ logo }: Pick<CurrentSettings, 'logo'>, basePath: string): string | null {
  return logo === null ? null : `${basePath}/logo?v=${logo.version}`;
}

/** Returns the URLs of the style sheets that follow those of all pages. */
export function brandStyles({ brandColor }: Pick<CurrentSettings, 'brandColor'>, basePath: string): string[] {
  return brandColor === null ? [] : [`${basePath}/brand.css?color=${brandColor.slice(1)}`];
}
