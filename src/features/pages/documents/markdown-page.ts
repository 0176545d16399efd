/** Renders the project's Markdown documents as HTML pages in the style of the API reference. */
import GithubSlugger from 'github-slugger';
import { Marked, Renderer, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../../../lib/text/text.ts';
import type { PageFiles, PageFrame } from '../assets/assets.ts';
import { renderDocumentList } from './document-list.ts';

export type DocumentFrame = PageFrame &
  PageFiles & {
    readonly path: string;
  };

/**
 * Renders a document (GitHub Flavored Markdown) as HTML: ids of headings as on GitHub, links such as
 * `./problems.md#x` as `/docs/problems#x`, raw HTML escaped.
 */
export function renderMarkdownPage(markdown: string, frame: DocumentFrame): string {
  const tokens = parser.lexer(markdown);
  // Ids are unique within a page: each page has its own slugger.
  const slugger = new GithubSlugger();
  parser.walkTokens(tokens, (token) => prepare(token, { slugger, basePath: frame.basePath }));
  const heading = tokens.find((token): token is Tokens.Heading => token.type === 'heading');
  const title = heading ? toPlainText(heading) : 'Documentation';
  const contents = renderContents(tokens) + renderDocumentList(frame);
  return page(frame, { title, content: parser.parser(tokens), contents });
}

/** Fewer sections fit into a window. */
const MIN_CONTENTS = 3;

/** Returns links to the sections; empty for a document of few. */
function renderContents(tokens: readonly Token[]): string {
  const sections = tokens.filter(
    (token): token is Tokens.Heading => token.type === 'heading' && token.depth === 2,
  );
  if (sections.length < MIN_CONTENTS) return '';
  const items = sections.map((section) => {
    const link = `#${encodeURIComponent(ids.get(section) ?? '')}`;
    return `<li><a href="${link}">${escapeHtml(toPlainText(section))}</a></li>`;
  });
  return `<nav class="contents" aria-label="Contents">
<details>
<summary>On this page</summary>
<ol class="nav">
${items.join('\n')}
</ol>
</details>
</nav>
`;
}

const ids = new WeakMap<Token, string>();

/** Pictures of the light theme have a counterpart of the dark one. */
const LIGHT_PICTURE = /-light\.png$/;

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
    code({ text, lang }) {
      const label = /^\w+$/.test(lang ?? '') ? lang! : 'Text';
      return `<figure class="code"><figcaption><span>${label}</span></figcaption><pre tabindex="0" aria-label="${label}" role="group"><code>${escapeHtml(text)}</code></pre></figure>\n`;
    },
    image(token) {
      const image = Renderer.prototype.image.call(this, token);
      if (!LIGHT_PICTURE.test(token.href)) return image;
      const dark = { ...token, href: token.href.replace(LIGHT_PICTURE, '-dark.png') };
      return [image, Renderer.prototype.image.call(this, dark)]
        .map((html, index) =>
          html.replace('<img ', `<img class="of-${index === 0 ? 'light' : 'dark'}" loading="lazy" `),
        )
        .join('');
    },
    table(token) {
      const table = Renderer.prototype.table.call(this, token);
      // A column that needs no name has no header either.
      return `<div class="scroll" tabindex="0" role="group" aria-label="Table">${table.replaceAll(/<th([^>]*)><\/th>/g, '<td$1></td>')}</div>\n`;
    },
  },
});

function prepare(
  token: Token,
  { slugger, basePath }: { readonly slugger: GithubSlugger; readonly basePath: string },
): void {
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

function page(
  frame: DocumentFrame,
  { title, content, contents }: Record<'title' | 'content' | 'contents', string>,
): string {
  const aside = contents === '' ? '' : `<div class="guide">\n${contents}</div>\n`;
  const body = `${aside}<main class="document prose" id="document-content" tabindex="-1">
${content}</main>`;
  return `<!doctype html>
<html lang="en">
${head(title, frame)}
<body>
<a class="skip" href="#document-content">Skip to the content</a>
${header(frame)}
<div${contents === '' ? '' : ' class="with-contents"'}>
${body}
</div>
</body>
</html>
`;
}

function head(title: string, { styles, themeScripts, moduleScripts, icons }: DocumentFrame): string {
  return `<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${icons[0] ?? 'data:,'}">
${[
  ...styles.map((url) => `<link rel="stylesheet" href="${url}">`),
  ...themeScripts.map((url) => `<script src="${url}"></script>`),
  ...moduleScripts.map((url) => `<script type="module" src="${url}"></script>`),
].join('\n')}
</head>`;
}

/** The API reference has the same (web/reference/header.tsx). */
function header({ basePath, hasConsole, path: current }: DocumentFrame): string {
  const links = Object.entries({ ...LINKS, ...(hasConsole ? { '/console': 'Console' } : {}) });
  const items = links.map(([path, label]) => {
    const mark = path === current ? ' aria-current="page"' : '';
    return `<a href="${basePath}${path}"${mark}>${label}</a>`;
  });
  return `<header class="bar">
<a class="brand" href="${basePath}/">${LOGO}Frontdesk</a>
<button type="button" class="compact plain" popovertarget="documents-menu">Menu</button>
<nav class="across nav" id="documents-menu" aria-label="Documents" popover>
${items.join('\n')}
</nav>
</header>`;
}

/** The mark of the product: a bell on a desk. */
const LOGO =
  '<svg class="logo" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 18h16M5.5 15.5a6.5 6.5 0 0 1 13 0M12 9V6M9.8 6h4.4"/></svg>';
