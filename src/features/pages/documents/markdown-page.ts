/** Renders the project's Markdown documents as HTML pages in the style of the API reference. */
import GithubSlugger from 'github-slugger';
import { Marked, Renderer, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../../../lib/text/escape-html.ts';
import type { PageFiles, PageFrame } from '../assets/page-files.ts';

export type DocumentFrame = PageFrame & PageFiles;

/**
 * Renders a Markdown document (GitHub Flavored Markdown) as a complete HTML document. The first heading is its
 * title. Headings have the same ids as on GitHub, and links to other documents (`./problems.md#x`) become
 * `/docs/problems#x`, below the base path. Raw HTML is escaped. The page works without scripts; the only one applies
 * the colour scheme that the reader has chosen.
 */
export function renderMarkdownPage(markdown: string, frame: DocumentFrame): string {
  const tokens = parser.lexer(markdown);
  // Ids are unique within a page: each page has its own slugger.
  const slugger = new GithubSlugger();
  parser.walkTokens(tokens, (token) => prepare(token, { slugger, basePath: frame.basePath }));
  const heading = tokens.find((token): token is Tokens.Heading => token.type === 'heading');
  const title = heading ? toPlainText(heading) : 'Documentation';
  return page({ title, content: parser.parser(tokens), frame });
}

const ids = new WeakMap<Token, string>();

const parser = new Marked({
  gfm: true,
  tokenizer: {
    // Without tokens of its own, raw HTML is text, which the renderer escapes.
    html: () => undefined,
    tag: () => undefined,
  },
  renderer: {
    heading(token) {
      const id = ids.get(token);
      const attributes = id ? ` id="${escapeHtml(id)}" tabindex="-1"` : '';
      return `<h${token.depth}${attributes}>${this.parser.parseInline(token.tokens)}</h${token.depth}>\n`;
    },
    table(token) {
      return `<div class="scroll">${Renderer.prototype.table.call(this, token)}</div>\n`;
    },
  },
});

interface Preparation {
  readonly slugger: GithubSlugger;
  readonly basePath: string;
}

function prepare(token: Token, { slugger, basePath }: Preparation): void {
  if (token.type === 'heading') ids.set(token, slugger.slug(toPlainText(token).trim()));
  if (token.type === 'link') token.href = documentUrl(token.href, basePath);
}

function toPlainText(token: Token): string {
  if (!('tokens' in token) || !token.tokens) return 'text' in token ? token.text : '';
  return token.tokens.map(toPlainText).join('');
}

function documentUrl(url: string, basePath: string): string {
  if (/^\/(?!\/)/.test(url)) return basePath + url;
  return url.replace(/^(?:\.\/)?([\w-]+)\.md(?=#|$)/, `${basePath}/docs/$1`);
}

const LINKS = {
  '/docs': 'API reference',
  '/docs/accounts': 'Accounts',
  '/docs/problems': 'Problems',
  '/docs/idempotency': 'Idempotency',
  '/docs/lifecycle': 'Lifecycle',
  '/docs/events': 'Events',
  '/docs/webhooks': 'Webhooks',
  '/docs/operations': 'Operations',
  '/docs/security': 'Security',
  '/openapi.json': 'OpenAPI',
};

interface Page {
  readonly title: string;
  /** HTML. */
  readonly content: string;
  readonly frame: DocumentFrame;
}

function page({ title, content, frame }: Page): string {
  const { basePath, hasConsole, styles, themeScripts } = frame;
  const links = Object.entries({ ...LINKS, ...(hasConsole ? { '/console': 'Console' } : {}) });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
${styles.map((url) => `<link rel="stylesheet" href="${url}">\n`).join('')}${themeScripts.map((url) => `<script src="${url}"></script>\n`).join('')}</head>
<body>
<a class="skip" href="#document-content">Skip to the content</a>
<header class="frame">
<a class="home" href="${basePath}/">Frontdesk</a>
<nav aria-label="Documents">
${links.map(([path, label]) => `<a href="${basePath}${path}">${label}</a>`).join('\n')}
</nav>
</header>
<main class="document" id="document-content" tabindex="-1">
${content}</main>
</body>
</html>
`;
}
