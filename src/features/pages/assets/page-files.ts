/** Frame and files of the pages that are rendered on the server. */
import { readManifest } from './assets.ts';

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
