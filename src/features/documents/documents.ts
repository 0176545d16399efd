/** Files that the service shows to people and programs: read from the disk when first asked for. */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

export interface Document {
  /** Shared by all responses: a client that does not read costs a reference. */
  readonly content: Buffer;
  readonly mediaType: string;
  /** A strong validator, in quotes. */
  readonly etag: string;
}

const ROOT = new URL('../../../', import.meta.url);

const loaded = new Map<string, Promise<Document>>();

/** Takes a path relative to the project and gives the file; markdown becomes a page. */
export function readDocument(path: string): Promise<Document> {
  const known = loaded.get(path);
  if (known !== undefined) return known;
  const loading = load(path);
  loaded.set(path, loading);
  // One failure to read is not remembered.
  loading.catch(() => loaded.delete(path));
  return loading;
}

async function load(path: string): Promise<Document> {
  const text = await readFile(new URL(path, ROOT), 'utf8');
  if (!path.endsWith('.md')) return makeDocument(text, mediaTypeOf(path));
  // Loaded with the first page that somebody reads: a start does not pay for it.
  const { renderMarkdownPage } = await import('./markdown-page.ts');
  return makeDocument(renderMarkdownPage(text), 'text/html; charset=utf-8');
}

export function makeDocument(content: string, mediaType: string): Document {
  const etag = `"${hash('sha256', content, 'hex').slice(0, 32)}"`;
  return { content: Buffer.from(content), mediaType, etag };
}

function mediaTypeOf(path: string): string {
  if (path.endsWith('.css')) return 'text/css; charset=utf-8';
  if (path.endsWith('.js')) return 'text/javascript; charset=utf-8';
  return 'text/html; charset=utf-8';
}
