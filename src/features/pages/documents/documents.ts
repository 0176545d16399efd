/** Documents that the service serves. Each is read from disk when it is first requested, and kept in memory. */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyReply } from 'fastify';
import { isNotModified } from '../../../lib/routes/preconditions.ts';
import { getBasePath } from '../../../lib/routes/routes.ts';
import type { CurrentSettings, CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import { logoUrl, pageFiles } from '../assets/assets.ts';
import type { DocumentFrame } from './document-frame.ts';

export interface DocumentDeps {
  readonly publicUrl: string;
  readonly console: boolean;
  readonly settings: CurrentSettingsSource;
}

export interface ServedDocument {
  /** Shared by all responses, so that a slow client costs a reference and not a copy. */
  readonly content: Buffer;
  readonly mediaType: string;
  /** A weak validator, with quotes (RFC 9110 section 8.8.3): compressed, the same content has other bytes. */
  readonly etag: string;
}

const ROOT = new URL('../../../../', import.meta.url);

type ReadDocument = (path: string) => Promise<ServedDocument>;

/** Pages are rendered again after the settings have changed, which have the name and the logo of the service. */
export function createDocuments({ publicUrl, console, settings }: DocumentDeps): ReadDocument {
  const basePath = getBasePath(publicUrl);
  const loaded = new Map<string, Promise<ServedDocument>>();
  let shown: CurrentSettings | undefined;
  return (path) => {
    const { current } = settings;
    if (current !== shown) loaded.clear();
    shown = current;
    // Pages that were rendered without a style sheet, because it had not been built yet, are rendered again.
    const files = pageFiles('documents', basePath);
    const key = `${path} ${files.styles.length}`;
    const known = loaded.get(key);
    if (known !== undefined) return known;
    const brand = { serviceName: current.instanceName, logo: logoUrl(current, basePath) };
    const frame = { basePath, hasConsole: console, ...brand, ...files, path: documentUrlPath(path) };
    const loading = load(path, frame);
    loaded.set(key, loading);
    // A failure is not cached: the next request reads the file again.
    loading.catch(() => loaded.delete(key));
    return loading;
  };
}

function documentUrlPath(path: string): string {
  return path === 'docs/index.md' ? '/' : path.replace(/^docs\/([\w-]+)\.md$/, '/docs/$1');
}

async function load(path: string, frame: DocumentFrame): Promise<ServedDocument> {
  const text = await readFile(new URL(path, ROOT), 'utf8');
  // Imported with the first page that is requested, because the import would delay the start.
  const { renderMarkdownPage } = await import('./markdown-page.ts');
  return createServedDocument(renderMarkdownPage(text, frame), 'text/html; charset=utf-8');
}

export function createServedDocument(content: string | Buffer, mediaType: string): ServedDocument {
  const etag = `W/"${hash('sha256', content, 'hex').slice(0, 32)}"`;
  return { content: Buffer.from(content), mediaType, etag };
}

/** Allows pages the style sheets, the scripts and, for the search, the data of this service, and nothing else. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Sends the document, cacheable for five minutes, or 304 if the client has it already (RFC 9110 section 13.1.2). */
export function sendDocument(
  reply: FastifyReply,
  { content, mediaType, etag }: ServedDocument,
  extraHeaders: Readonly<Record<string, string>> = {},
): FastifyReply {
  const policy = mediaType.startsWith('text/html') ? { 'content-security-policy': PAGE_POLICY } : {};
  reply.headers({ 'cache-control': 'public, max-age=300', etag, ...policy, ...extraHeaders });
  if (isNotModified(reply.request.headers, etag)) return reply.code(304).send();
  return reply.header('content-type', mediaType).send(content);
}

/** Options of the routes of pages and files. They are not part of the API, and not in its description. */
export const DOCUMENT_ROUTE = {
  schema: { hide: true },
  config: { access: 'public', limits: ['documents'], isCompressed: true },
} as const;
