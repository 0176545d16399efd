/** Renders pages from the templates beside this file. */
import { join } from 'node:path';
import type { Eta } from 'eta';
import type { FastifyReply } from 'fastify';
import { documentFiles } from '../assets/page-files.ts';

export interface PageSettings {
  /** The name of the service. */
  readonly service: string;
  /** Path of PUBLIC_URL, below which a proxy serves the service; without a trailing slash. */
  readonly basePath: string;
}

/**
 * No scripts, and nothing from elsewhere. Decision 0004 has the other headers; `no-referrer` among them keeps the link
 * out of other requests.
 */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-robots-tag': 'noindex',
};

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PageContent {
  readonly status: number;
  readonly template: 'set-password' | 'confirm-email' | 'notice';
  readonly title: string;
  /** Whether the page shows a form again, with what was wrong. */
  readonly isRejected?: boolean;
  readonly [name: string]: unknown;
}

export type RenderPage = (content: PageContent) => Promise<Page>;

/** Creates the function that renders pages. */
export function createPages(settings: PageSettings): RenderPage {
  return async ({ status, template, ...content }) => {
    loading ??= loadEngine();
    const engine = await loading;
    const { styles } = documentFiles(settings.basePath);
    const data = { isRejected: false, styles, ...settings, ...content };
    return { status, headers: HEADERS, body: engine.render(`${template}.html.eta`, data) };
  };
}

let loading: Promise<Eta> | null = null;

/** Loaded for the first page, because loading would delay the start. */
async function loadEngine(): Promise<Eta> {
  const { Eta } = await import('eta');
  const views = join(import.meta.dirname, 'templates');
  return new Eta({ views, cache: true, autoTrim: false, autoEscape: true });
}

export function sendPage(reply: FastifyReply, { status, headers, body }: Page): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}
