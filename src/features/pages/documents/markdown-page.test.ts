import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { DOCUMENT_NAMES } from './document-list.ts';
import { readSections, renderMarkdownPage } from './markdown-page.ts';

const FRAME = {
  basePath: '',
  hasConsole: false,
  styles: ['/assets/style.css'],
  themeScripts: ['/assets/theme.js'],
  moduleScripts: ['/assets/documents.js'],
  icons: ['/assets/favicon.svg'],
  search: ['/assets/search.json'],
  serviceName: 'Hopper Labs',
  logo: null,
  fontPreloads: [],
  path: '/docs/problems',
};

/** The rendered document without the frame of the page. */
function renderContent(markdown: string): string {
  const match = /<main[^>]*>\n(.*)<\/main>/s.exec(renderMarkdownPage(markdown, { ...FRAME, path: '/other' }));
  assert.ok(match);
  return match[1]!;
}

function getHeadingIds(markdown: string): (string | undefined)[] {
  return [...renderContent(markdown).matchAll(/<h[1-6] id="([^"]*)"/g)].map((match) => match[1]);
}

test('a document page is complete with style sheet, links to index and reference, and scripts that it can do without', () => {
  const html = renderMarkdownPage('# Problems\n\nText.', FRAME);
  assert.match(html, /^<!doctype html>\n<html lang="en" data-base="" data-search="\/assets\/search\.json">/);
  assert.match(html, /<link rel="stylesheet" href="\/assets\/style\.css">/);
  assert.match(html, /<a class="brand" href="\/">/);
  assert.match(html, /<a href="\/docs">API reference<\/a>/);
  assert.deepEqual(html.match(/<script[^>]*>/g), [
    '<script src="/assets/theme.js">',
    '<script type="module" src="/assets/documents.js">',
  ]);
  assert.doesNotMatch(html, /<style| style=|Console/);
});

test('document pages mark their area in the bar and themselves in the list of documents', () => {
  const html = renderMarkdownPage('# Problems', FRAME);
  assert.deepEqual(html.match(/<a [^>]*aria-current[^>]*>[^<]*/g), [
    '<a href="/" aria-current="true">Documents',
    '<a href="/docs/problems" aria-current="page">Problems',
  ]);
});

test('document pages list all documents in groups of at most twelve, and link to those before and after them', () => {
  const frame = { ...FRAME, path: '/docs/credentials', basePath: '/id', hasConsole: true };
  const html = renderMarkdownPage('# Credentials', frame);
  const list = /<nav class="guide library".*?<\/nav>/s.exec(html)![0];
  const names = [...list.matchAll(/<a href="\/id\/docs\/([^"]+)"/g)].map(([, name]) => name);
  assert.deepEqual(names, DOCUMENT_NAMES);
  for (const group of list.split('class="tag"').slice(1)) assert.ok(group.match(/<a /g)!.length <= 12, group);
  const neighbours = [...html.matchAll(/<a rel="(\w+)" href="\/id\/docs\/([^"]+)"/g)];
  assert.deepEqual(
    neighbours.map(([, rel, name]) => [rel, name]),
    [
      ['prev', 'operations'],
      ['next', 'import'],
    ],
  );
  assert.doesNotMatch(renderMarkdownPage('# Problems', FRAME), /\/docs\/console/);
  assert.doesNotMatch(renderMarkdownPage('# Not found', { ...FRAME, path: '/other' }), /library|neighbours/);
});

test('document pages have the name and the logo of the instance, escaped', () => {
  const html = renderMarkdownPage('# T', { ...FRAME, serviceName: '<b>', logo: '/logo?v=1' });
  assert.match(
    html,
    /<a class="brand" href="\/"><img class="logo" src="\/logo\?v=1" alt=""><bdi>&lt;b&gt;<\/bdi>/,
  );
  assert.match(renderMarkdownPage('# T', FRAME), /<svg class="logo".*<bdi>Hopper Labs<\/bdi>/);
});

test('sections of documents have the headings around them and all texts in them, for the search', () => {
  const sections = readSections(
    '# T\n\nOne *two*.\n\n## A\n\n- b `c`\n\n| d |\n|-|\n| e |\n\n### F\n\n```\ng\n```\n## H',
  );
  assert.deepEqual(
    sections.map(({ id, headings, text }) => [id, headings.join(' › '), text.match(/\w+/g)]),
    [
      ['t', 'T', ['One', 'two']],
      ['a', 'T › A', ['b', 'c', 'd', 'e']],
      ['f', 'T › A › F', ['g']],
      ['h', 'T › H', null],
    ],
  );
});

test('document pages have their sections as contents, unless there are few', () => {
  const html = renderMarkdownPage('# T\n## A & B\n### Part\n## `c`\n## Größe', FRAME);
  const contents = /<nav class="guide contents".*?<\/nav>/s.exec(html)![0];
  assert.deepEqual(
    [...contents.matchAll(/<a href="([^"]*)">([^<]*)/g)].map(([, url, text]) => [url, text]),
    [
      ['#a--b', 'A &amp; B'],
      ['#c', 'c'],
      ['#gr%C3%B6%C3%9Fe', 'Größe'],
    ],
  );
  assert.doesNotMatch(renderMarkdownPage('# T\n## A\n## B', FRAME), /On this page/);
});

test('document pages have pictures of both colour schemes, and other pictures once', () => {
  const content = renderContent('![Users](images/users-light.webp) ![Other](images/other.png)');
  assert.deepEqual(content.match(/<img[^>]*>/g), [
    '<img class="of-light" loading="lazy" src="images/users-light.webp" alt="Users">',
    '<img class="of-dark" loading="lazy" src="images/users-dark.webp" alt="Users">',
    '<img src="images/other.png" alt="Other">',
  ]);
});

test('document pages have code blocks with the name of their language, which scroll by keyboard', () => {
  const content = renderContent('```sh\ncurl "<x>"\n```\n\n```a"b\nx\n```');
  assert.match(
    content,
    /<figcaption><span>sh<\/span><\/figcaption><pre tabindex="0" aria-label="sh" role="group">/,
  );
  assert.match(content, /<code>curl &quot;&lt;x&gt;&quot;<\/code>/);
  assert.match(content, /<span>Text<\/span>/);
});

test('document pages link to documents and to the console, if there is one, below the base path', () => {
  const frame = { ...FRAME, basePath: '/accounts', hasConsole: true };
  const html = renderMarkdownPage('[a](problems.md#x) [b](/docs) [c](https://example.com/)', frame);
  const urls = [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, url]) => url!);
  for (const url of ['/accounts/', '/accounts/console', '/accounts/docs/problems#x', 'https://example.com/'])
    assert.ok(urls.includes(url), url);
  assert.deepEqual(
    urls.filter((url) => !/^(?:\/accounts\/|https:|#)/.test(url)),
    [],
  );
});

test('document pages have the text of the first heading without markup as the title', () => {
  const html = renderMarkdownPage('Before\n\n## `Codes` & *colours* <b>\n\n# Later', FRAME);
  assert.match(html, /<title>Codes &amp; colours &lt;b&gt;<\/title>/);
});

test('document pages have the same ids for headings as GitHub', () => {
  const markdown = "# What's new, *really*?\n## `email_taken`\n### A & B — C\n### Größe 2.0\n# -\n# ???";
  assert.deepEqual(getHeadingIds(markdown), ['whats-new-really', 'email_taken', 'a--b--c', 'größe-20', '-']);
});

test('document pages number the ids of repeated headings, also when the numbered id is already in use', () => {
  assert.deepEqual(getHeadingIds('# a\n# a\n# a-1\n# a'), ['a', 'a-1', 'a-1-1', 'a-2']);
});

test('document pages turn links to other documents into links to their pages', () => {
  const content = renderContent(
    '[a](./problems.md#email_taken) [b](problems.md) [c][r] [d](#x)\n\n[r]: lifecycle.md#y',
  );
  const urls = [...content.matchAll(/href="([^"]*)"/g)].map((match) => match[1]);
  assert.deepEqual(urls, ['/docs/problems#email_taken', '/docs/problems', '/docs/lifecycle#y', '#x']);
});

test('document pages leave all other links unchanged', () => {
  const content = renderContent('[a](https://example.com/problems.md) [b](mailto:a@b.c) [c](/docs/problems)');
  const urls = [...content.matchAll(/href="([^"]*)"/g)].map((match) => match[1]);
  assert.deepEqual(urls, ['https://example.com/problems.md', 'mailto:a@b.c', '/docs/problems']);
});

test('document pages name files of the source code, which are not served, by their paths', () => {
  const content = renderContent('[the *script*](../examples/a.js), [why](decisions/0001-a.md)');
  assert.equal(
    content,
    '<p>the <em>script</em> (<code>examples/a.js</code>), why (<code>docs/decisions/0001-a.md</code>)</p>\n',
  );
});

test('links of the served documents lead to served documents, other paths of the service, anchors or URLs only', () => {
  for (const name of DOCUMENT_NAMES) {
    const content = renderContent(readFileSync(join('docs', `${name}.md`), 'utf8'));
    for (const [, url = ''] of content.matchAll(/href="([^"]*)"/g)) {
      assert.match(url, /^(?:[/#]|https?:|mailto:)/, name);
      const [, linked] = /^\/docs\/([\w-]+)/.exec(url) ?? [];
      assert.ok(linked === undefined || DOCUMENT_NAMES.includes(linked), `${name} ${url}`);
    }
  }
});

const fragments = fc.constantFrom(
  ...['<img src=x onerror=y>', '<script>', '</script>', '<kbd>', '<pre>', '<!--', '-->', '<', '>', '"', "'"],
  ...[
    '`',
    '```',
    '\n',
    '\n\n',
    '# ',
    '- ',
    '> ',
    '| a |\n|-|\n',
    '    ',
    '[a](',
    ')',
    '![',
    '*',
    '\\',
    '&lt;',
    'b',
  ],
);
const markdownTag =
  /^<\/?(?:h[1-6]|p|a|div|img|em|strong|del|code|pre|blockquote|ul|ol|li|hr|br|input|table|thead|tbody|tr|th|td|figure|figcaption|span)(?: (?:id|tabindex|href|src|alt|title|class|type|start|align|checked|disabled|role|aria-label)="[^"<>]*")*>/;

test('HTML and Markdown cannot combine to a tag or attribute other than those of Markdown in a document page', () => {
  fc.assert(
    fc.property(fc.array(fragments, { maxLength: 25 }), (parts) => {
      const content = renderContent(parts.join(''));
      for (const { index } of content.matchAll(/</g)) assert.match(content.slice(index), markdownTag);
    }),
    { numRuns: 2000 },
  );
});
