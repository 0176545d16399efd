/** Files that the service serves. Each is read from disk when it is first requested, and kept in memory. */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

export interface Document {
  /** Shared by all responses, so that a slow client costs a reference and not a copy. */
  readonly content: Buffer;
  readonly mediaType: string;
  /** A strong validator, with quotes (RFC 9110 section 8.8.3). */
  readonly etag: string;
}

const ROOT = new URL('../../../', import.meta.url);

const loaded = new Map<string, Promise<Document>>();

/** Returns a file by its path relative to the project directory. Markdown is rendered as an HTML page. */
export function readDocument(path: string): Promise<Document> {
  const known = loaded.get(path);
  if (known !== undefined) return known;
  const loading = load(path);
  loaded.set(path, loading);
  // A failure is not cached: the next request reads the file again.
  loading.catch(() => loaded.delete(path));
  return loading;
}

async function load(path: string): Promise<Document> {
  const text = await readFile(new URL(path, ROOT), 'utf8');
  if (!path.endsWith('.md')) return makeDocument(text, mediaTypeOf(path));
  // Imported with the first page that is requested, because the import would delay the start.
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
