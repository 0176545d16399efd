/** The frame of documents: the bar of all pages for readers, links to the other documents, the contents of this one. */
import { escapeHtml } from '../../../lib/text/text.ts';
import type { PageFiles, PageFrame } from '../assets/assets.ts';

export interface DocumentFrame extends PageFrame, PageFiles {
  readonly path: string;
  readonly serviceName: string;
  readonly logo: string | null;
}

/** HTML, but for the title. */
type DocumentParts = Readonly<Record<'title' | 'library' | 'contents' | 'content', string>>;

export function renderFrame(frame: DocumentFrame, { title, library, contents, content }: DocumentParts) {
  return `<!doctype html>
<html lang="en" data-base="${frame.basePath}"${frame.search.map((url) => ` data-search="${url}"`).join('')}>
${head(title, frame)}
<body>
<a class="skip" href="#document-content">Skip to the content</a>
${header(frame)}
<div${library + contents === '' ? '' : ' class="with-contents"'}>
${library}${contents}<main class="document prose" id="document-content" tabindex="-1">
${content}</main>
</div>
</body>
</html>
`;
}

function head(title: string, { styles, themeScripts, moduleScripts, icons, fontPreloads }: DocumentFrame) {
  return `<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${icons[0] ?? 'data:,'}">
${[
  ...fontPreloads,
  ...styles.map((url) => `<link rel="stylesheet" href="${url}">`),
  ...themeScripts.map((url) => `<script src="${url}"></script>`),
  ...moduleScripts.map((url) => `<script type="module" src="${url}"></script>`),
].join('\n')}
</head>`;
}

/** The API reference has the same (web/reference/reference.tsx). */
function header({ basePath, hasConsole, path: current, serviceName, logo }: DocumentFrame): string {
  const links = {
    '/': 'Documents',
    '/docs': 'API reference',
    ...(hasConsole ? { '/console': 'Console' } : {}),
  };
  const items = Object.entries(links).map(([path, label]) => {
    const isCurrent = path === '/' && (current === '/' || current.startsWith('/docs/'));
    const mark = isCurrent ? ` aria-current="${path === current ? 'page' : 'true'}"` : '';
    return `<a href="${basePath}${path}"${mark}>${label}</a>`;
  });
  return `<header class="bar">
<a class="brand" href="${basePath}/">${logo === null ? LOGO : `<img class="logo" src="${logo}" alt="">`}<bdi>${escapeHtml(serviceName)}</bdi></a>
<button type="button" class="compact plain" popovertarget="pages-menu">Menu</button>
<nav class="across nav" id="pages-menu" aria-label="Pages" popover>
${items.join('\n')}
</nav>
</header>`;
}

/** The mark of the product: a bell on a desk. */
const LOGO =
  '<svg class="logo" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 18h16M5.5 15.5a6.5 6.5 0 0 1 13 0M12 9V6M9.8 6h4.4"/></svg>';
