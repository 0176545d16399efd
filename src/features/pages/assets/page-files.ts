/** Frame and files of the pages that are rendered on the server. */
import { readManifest } from './assets.ts';

export interface PageFrame {
  /** Path of PUBLIC_URL, below which a proxy serves the service; without a trailing slash. */
  readonly basePath: string;
  /** CONSOLE: whether there is a console to link to. */
  readonly hasConsole: boolean;
}

export function getBasePath(publicUrl: string): string {
  return publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}

/** URLs of files. */
export interface PageFiles {
  readonly styles: readonly string[];
  /** The script of the colour scheme. */
  readonly themeScripts: readonly string[];
}

/** Returns the files of pages without other scripts: none as long as they have not been built. */
export function documentFiles(basePath: string): PageFiles {
  try {
    const { pages, documents, theme } = readManifest().entries;
    const urls = (files: readonly string[]) => files.map((file) => `${basePath}/assets/${file}`);
    return { styles: urls([...pages!.styles, ...documents!.styles]), themeScripts: urls(theme!.scripts) };
  } catch {
    return { styles: [], themeScripts: [] };
  }
}
