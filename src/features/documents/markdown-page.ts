/** Renders the project's Markdown documents as HTML pages in the style of the API reference. */
import GithubSlugger from 'github-slugger';
import { Marked, Renderer, type Token, type Tokens } from 'marked';

/**
 * Renders a Markdown document (GitHub Flavored Markdown) as a complete HTML document. The first heading is its
 * title. Headings have the same ids as on GitHub, and links to other documents (`./problems.md#x`) become
 * `/docs/problems#x`. Raw HTML is escaped, and the page contains no script.
 */
export function renderMarkdownPage(markdown: string): string {
  const tokens = parser.lexer(markdown);
  // Ids are unique within a page: each page has its own slugger.
  const slugger = new GithubSlugger();
  parser.walkTokens(tokens, (token) => prepare(token, slugger));
  const heading = tokens.find((token): token is Tokens.Heading => token.type === 'heading');
  return page(heading ? textOf(heading) : 'Documentation', parser.parser(tokens));
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

function prepare(token: Token, slugger: GithubSlugger): void {
  if (token.type === 'heading') ids.set(token, slugger.slug(textOf(token).trim()));
  if (token.type === 'link') token.href = documentUrl(token.href);
}

function textOf(token: Token): string {
  if (!('tokens' in token) || !token.tokens) return 'text' in token ? token.text : '';
  return token.tokens.map(textOf).join('');
}

function documentUrl(url: string): string {
  return url.replace(/^(?:\.\/)?([\w-]+)\.md(?=#|$)/, '/docs/$1');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/assets/reference.css">
</head>
<body class="document">
<a class="skip" href="#document-content">Skip to the content</a>
<header class="top">
<a class="home" href="/">Frontdesk</a>
<nav aria-label="Documents">
<a href="/docs">API reference</a>
<a href="/docs/problems">Problems</a>
<a href="/docs/idempotency">Idempotency</a>
<a href="/docs/lifecycle">Lifecycle</a>
<a href="/docs/operations">Operations</a>
<a href="/docs/security">Security</a>
<a href="/openapi.json">OpenAPI</a>
</nav>
</header>
<main id="document-content" tabindex="-1">
${content}</main>
</body>
</html>
`;
}
