/** Renders the project's Markdown documents as HTML pages in the style of the API reference. */
import { posix } from 'node:path';
import GithubSlugger from 'github-slugger';
import { Marked, Renderer, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../../../lib/text/text.ts';
import { type DocumentFrame, renderFrame } from './document-frame.ts';
import { renderDocumentList, renderNeighbours } from './document-list.ts';

/**
 * Renders a document (GitHub Flavored Markdown) as HTML: ids of headings as on GitHub, links such as
 * `./problems.md#x` as `/docs/problems#x`, those to files of the source code as their paths, raw HTML escaped.
 */
export function renderMarkdownPage(markdown: string, frame: DocumentFrame): string {
  const tokens = readTokens(markdown, frame.basePath);
  const heading = tokens.find(isHeading);
  return renderFrame(frame, {
    title: heading ? toPlainText(heading) : 'Documentation',
    library: renderDocumentList(frame),
    contents: renderContents(tokens),
    content: parser.parser(tokens) + renderNeighbours(frame),
  });
}

function readTokens(markdown: string, basePath: string): Token[] {
  const tokens = parser.lexer(markdown);
  // Ids are unique within a page: each page has its own slugger.
  const slugger = new GithubSlugger();
  parser.walkTokens(tokens, (token) => prepare(token, { slugger, basePath }));
  return tokens;
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';

export interface Section {
  readonly id: string;
  /** The heading, after those of the sections around it. The first of a document is its title. */
  readonly headings: readonly string[];
  readonly text: string;
}

/** Returns the sections of a document, each without those within it, for the index of the search. */
export function readSections(markdown: string): Section[] {
  const sections: { id: string; headings: string[]; text: string }[] = [];
  for (const token of readTokens(markdown, '')) {
    if (isHeading(token)) {
      const around = sections.at(-1)?.headings.slice(0, token.depth - 1) ?? [];
      sections.push({ id: ids.get(token) ?? '', headings: [...around, toPlainText(token)], text: '' });
    } else if (sections.length > 0) sections.at(-1)!.text += ` ${listTexts(token).join(' ')}`;
  }
  return sections;
}

/** Returns the texts of a token: also of the items of lists and the cells of tables, which are no tokens. */
function listTexts(token: Token): string[] {
  if (token.type === 'list') return (token as Tokens.List).items.flatMap(listTexts);
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].flat().map(({ tokens }) => tokens.map(toPlainText).join(''));
  }
  return 'tokens' in token && token.tokens ? token.tokens.flatMap(listTexts) : [toPlainText(token)];
}

/** Fewer sections fit into a window. */
const MIN_CONTENTS = 3;

/** Returns links to the sections; empty for a document of few. */
function renderContents(tokens: readonly Token[]): string {
  const sections = tokens.filter(isHeading).filter(({ depth }) => depth === 2);
  if (sections.length < MIN_CONTENTS) return '';
  const items = sections.map((section) => {
    const link = `#${encodeURIComponent(ids.get(section) ?? '')}`;
    return `<li><a href="${link}">${escapeHtml(toPlainText(section))}</a></li>`;
  });
  return `<nav class="guide contents" aria-label="On this page">
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
const LIGHT_PICTURE = /-light\.webp$/;

/** Neither a path of this service, nor an anchor or a URL. */
const RELATIVE = /^(?![/#]|[a-z][a-z\d+.-]*:)/i;

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
    link(token) {
      if (!RELATIVE.test(token.href)) return Renderer.prototype.link.call(this, token);
      // A file of the source code, which is not served.
      const path = escapeHtml(posix.join('docs', token.href));
      return `${this.parser.parseInline(token.tokens)} (<code>${path}</code>)`;
    },
    image(token) {
      const image = Renderer.prototype.image.call(this, token);
      if (!LIGHT_PICTURE.test(token.href)) return image;
      const dark = { ...token, href: token.href.replace(LIGHT_PICTURE, '-dark.webp') };
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

function prepare(token: Token, { slugger, basePath }: { slugger: GithubSlugger; basePath: string }): void {
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
