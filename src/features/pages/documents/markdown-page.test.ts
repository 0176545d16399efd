import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { renderMarkdownPage } from './markdown-page.ts';

const FRAME = {
  basePath: '',
  hasConsole: false,
  styles: ['/assets/pages.css'],
  themeScripts: ['/assets/theme.js'],
};

/** The rendered document without the frame of the page. */
function contentOf(markdown: string): string {
  const match = /<main[^>]*>\n(.*)<\/main>/s.exec(renderMarkdownPage(markdown, FRAME));
  assert.ok(match);
  return match[1]!;
}

function headingIdsOf(markdown: string): (string | undefined)[] {
  return [...contentOf(markdown).matchAll(/<h[1-6] id="([^"]*)"/g)].map((match) => match[1]);
}

test('renders a complete page with its style sheet and links to index and reference, and no script but that of the colour scheme', () => {
  const html = renderMarkdownPage('# Problems\n\nText.', FRAME);
  assert.match(html, /^<!doctype html>\n<html lang="en">/);
  assert.match(html, /<link rel="stylesheet" href="\/assets\/pages\.css">/);
  assert.match(html, /<a class="home" href="\/">/);
  assert.match(html, /<a href="\/docs">API reference<\/a>/);
  assert.deepEqual(html.match(/<script[^>]*>/g), ['<script src="/assets/theme.js">']);
  assert.doesNotMatch(html, /<style| style=|Console/);
});

test('links to documents and to the console, if there is one, below the base path', () => {
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

test('uses the text of the first heading without markup as the title', () => {
  const html = renderMarkdownPage('Before\n\n## `Codes` & *colours* <b>\n\n# Later', FRAME);
  assert.match(html, /<title>Codes &amp; colours &lt;b&gt;<\/title>/);
});

test('uses the title Documentation for a document without headings', () => {
  assert.match(renderMarkdownPage('Only text', FRAME), /<title>Documentation<\/title>/);
});

test('uses the same ids for headings as GitHub', () => {
  const markdown = "# What's new, *really*?\n## `email_taken`\n### A & B — C\n### Größe 2.0\n# -\n# ???";
  assert.deepEqual(headingIdsOf(markdown), ['whats-new-really', 'email_taken', 'a--b--c', 'größe-20', '-']);
});

test('numbers the ids of repeated headings, also when the numbered id is already in use', () => {
  assert.deepEqual(headingIdsOf('# a\n# a\n# a-1\n# a'), ['a', 'a-1', 'a-1-1', 'a-2']);
});

test('numbers heading ids per page', () => {
  assert.deepEqual(headingIdsOf('# Same'), headingIdsOf('# Same'));
});

test('turns links to other documents into links to their pages', () => {
  const content = contentOf(
    '[a](./problems.md#email_taken) [b](problems.md) [c][r] [d](#x)\n\n[r]: lifecycle.md#y',
  );
  const urls = [...content.matchAll(/href="([^"]*)"/g)].map((match) => match[1]);
  assert.deepEqual(urls, ['/docs/problems#email_taken', '/docs/problems', '/docs/lifecycle#y', '#x']);
});

test('leaves all other links unchanged', () => {
  const content = contentOf('[a](https://example.com/problems.md) [b](../README.md) [c](/docs/problems)');
  const urls = [...content.matchAll(/href="([^"]*)"/g)].map((match) => match[1]);
  assert.deepEqual(urls, ['https://example.com/problems.md', '../README.md', '/docs/problems']);
});

test('renders tables and task lists of GitHub Flavored Markdown', () => {
  assert.match(contentOf('| a | b |\n|---|---|\n| 1 | `2` |'), /<td><code>2<\/code><\/td>/);
  assert.match(contentOf('- [x] done'), /<input checked="" disabled="" type="checkbox">/);
});

test('escapes raw HTML', () => {
  const content = contentOf(
    '<div onclick="x">\n\n<script>alert("a < b")</script> <b>bold</b>\n\n<!-- note -->',
  );
  assert.doesNotMatch(content, /<(?!\/?p>)/);
  assert.match(
    content,
    /&lt;script&gt;alert\(&quot;a &lt; b&quot;\)&lt;\/script&gt; &lt;b&gt;bold&lt;\/b&gt;/,
  );
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
  /^<\/?(?:h[1-6]|p|a|div|img|em|strong|del|code|pre|blockquote|ul|ol|li|hr|br|input|table|thead|tbody|tr|th|td)(?: (?:id|tabindex|href|src|alt|title|class|type|start|align|checked|disabled)="[^"<>]*")*>/;

test('lets no combination of HTML and Markdown produce a tag or attribute other than those of Markdown', () => {
  fc.assert(
    fc.property(fc.array(fragments, { maxLength: 25 }), (parts) => {
      const content = contentOf(parts.join(''));
      for (const { index } of content.matchAll(/</g)) assert.match(content.slice(index), markdownTag);
    }),
    { numRuns: 2000 },
  );
});
