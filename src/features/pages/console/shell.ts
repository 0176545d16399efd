/** The HTML and the headers of pages whose content scripts render. */
import { escapeHtml } from '../../../lib/text/text.ts';
import { APP_POLICY, listMainFonts, type Manifest, type PageFrame, toFontPreload } from '../assets/assets.ts';

export interface Shell extends PageFrame {
  readonly entry: 'console' | 'reference';
  readonly title: string;
  readonly serviceName: string;
  readonly logo: string | null;
  /** `#0b7a53`; null without one. */
  readonly brandColor: string | null;
  /** Whether people sign in on pages of the service. */
  readonly hasSignIn: boolean;
  /** Shown without JavaScript: HTML. */
  readonly withoutScripts: string;
}

/**
 * Returns the document, which has a notice until the scripts have been loaded. They read `data-base`, `data-console`,
 * `data-sign-in`, `data-logo`, `data-color` and `application-name`; that of the colour scheme runs before the page is
 * painted.
 */
export function renderShell(
  { entry, title, basePath, hasConsole, hasSignIn, serviceName, logo, brandColor, withoutScripts }: Shell,
  manifest: Manifest,
): string {
  const { entries } = manifest;
  const url = (file: string) => `${basePath}/assets/${file}`;
  const { scripts = [], styles = [] } = entries[entry] ?? {};
  const [main, ...imported] = scripts;
  const lines = [
    ...listMainFonts(manifest).map((file) => toFontPreload(url(file))),
    ...[...(entries.style?.styles ?? []), ...styles].map(
      (file) => `<link rel="stylesheet" href="${url(file)}">`,
    ),
    ...(entries.theme?.scripts ?? []).map((file) => `<script src="${url(file)}"></script>`),
    `<script type="module" src="${url(main!)}"></script>`,
    ...(entries.favicon?.images ?? []).map((file) => `<link rel="icon" href="${url(file)}">`),
    ...imported.map((file) => `<link rel="modulepreload" href="${url(file)}">`),
  ];
  const brand = Object.entries({ logo, color: brandColor }).map(([name, value]) =>
    value === null ? '' : ` data-${name}="${value}"`,
  );
  return `<!doctype html>
<html lang="en" data-base="${basePath}"${hasConsole ? ' data-console' : ''}${hasSignIn ? ' data-sign-in' : ''}${brand.join('')}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="application-name" content="${escapeHtml(serviceName)}">
<title>${escapeHtml(title)}</title>
${lines.join('\n')}
</head>
<body>
<div id="app">
<main class="page">
<div class="late">
<h1>${escapeHtml(title)}</h1>
<p>The scripts of this page have not been loaded. Please reload the page: the service may just have been updated.</p>
</div>
<noscript>${withoutScripts}</noscript>
</main>
</div>
</body>
</html>
`;
}

/** With `no-referrer`, requests that the page sends would carry `Origin: null`, and prove nothing. */
export const PAGE_HEADERS = {
  'content-security-policy': `${APP_POLICY}; connect-src 'self'`,
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-cache',
};
