/**
 * The project's markdown documents as pages for people, in the same dress as the API reference.
 */
import { Marked, Renderer, type Token, type Tokens } from 'marked';

/**
 * A whole HTML document out of a markdown document (GitHub Flavored Markdown). Its title is the first heading.
 * Headings carry GitHub's ids, and links to neighbouring documents (`./problems.md#x`) lead to `/docs/problems#x`.
 * Raw HTML inside the document is shown as text; the page holds no script.
 */
export function renderMarkdownPage(markdown: string): string {
  const tokens = parser.lexer(markdown);
  // Ids are unique within a page only: each page counts its own.
  const idOf = headingIds();
  parser.walkTokens(tokens, (token) => prepare(token, idOf));
  const heading = tokens.find((token): token is Tokens.Heading => token.type === 'heading');
  return page(heading ? textOf(heading) : 'Documentation', parser.parser(tokens));
}

const ids = new WeakMap<Token, string>();

const parser = new Marked({
  gfm: true,
  tokenizer: {
    // No token for raw HTML: it stays text, which the renderer escapes.
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

function prepare(token: Token, idOf: (text: string) => string): void {
  if (token.type === 'heading') ids.set(token, idOf(textOf(token)));
  if (token.type === 'link') token.href = documentAddress(token.href);
}

function textOf(token: Token): string {
  if (!('tokens' in token) || !token.tokens) return 'text' in token ? token.text : '';
  return token.tokens.map(textOf).join('');
}

/** GitHub's slugs: lower case, punctuation dropped, each space a hyphen, repetitions numbered from 1. */
function headingIds(): (text: string) => string {
  const taken = new Map<string, number>();
  return (text) => {
    const slug = text
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    let id = slug;
    while (taken.has(id)) {
      const count = (taken.get(slug) ?? 0) + 1;
      taken.set(slug, count);
      id = `${slug}-${count}`;
    }
    taken.set(id, 0);
    return id;
  };
}

function documentAddress(address: string): string {
  return address.replace(/^(?:\.\/)?([\w-]+)\.md(?=#|$)/, '/docs/$1');
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
<a class="home" href="/docs">API reference</a>
<nav aria-label="Documents">
<a href="/docs/problems">Problems</a>
<a href="/docs/idempotency">Idempotency</a>
<a href="/docs/lifecycle">Lifecycle</a>
<a href="/docs/operations">Operations</a>
<a href="/docs/security">Security</a>
</nav>
</header>
<main id="document-content" tabindex="-1">
${content}</main>
</body>
</html>
`;
}
