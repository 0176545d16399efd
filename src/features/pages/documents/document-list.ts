/** The documents that the service serves, in the order in which each of them lists the others. */
import { escapeHtml } from '../../../lib/text/text.ts';

/** Titles by the path of the page. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Start: {
    '/': 'Overview',
    '/docs/start': 'Start',
    '/docs/integrate': 'Integrate',
    '/docs/next': 'Next.js',
    '/docs/mobile': 'Phones',
    '/docs/deployment': 'Deployment',
    '/docs/configuration': 'Configuration',
  },
  'Sign-in': {
    '/docs/accounts': 'Accounts',
    '/docs/sign-in': 'Pages to sign in',
    '/docs/sign-in-providers': 'Identity providers',
    '/docs/oidc': 'OpenID Connect',
    '/docs/clients': 'Clients',
    '/docs/verification': 'Verification',
  },
  'Forms and events': {
    '/docs/forms': 'Forms',
    '/docs/events': 'Events',
    '/docs/webhooks': 'Webhooks',
  },
  Operate: {
    '/docs/console': 'Console',
    '/docs/operations': 'Operations',
    '/docs/credentials': 'Credentials',
    '/docs/import': 'Import',
    '/docs/security': 'Security',
  },
  Reference: {
    '/docs': 'API reference',
    '/docs/problems': 'Problems',
    '/docs/idempotency': 'Idempotency',
    '/docs/forwarding': 'Forwarding',
    '/docs/lifecycle': 'Lifecycle',
  },
};

/** Titles of all documents by the path of their page. */
export const DOCUMENT_TITLES: ReadonlyMap<string, string> = new Map(
  Object.values(GROUPS)
    .flatMap((group) => Object.entries(group))
    .filter(([path]) => path !== '/docs'),
);

export const DOCUMENT_NAMES: readonly string[] = [...DOCUMENT_TITLES.keys()]
  .filter((path) => path !== '/')
  .map((path) => path.slice('/docs/'.length));

interface ListFrame {
  readonly basePath: string;
  readonly hasConsole: boolean;
  readonly path: string;
}

/** Returns links to all documents as HTML, the present one marked; empty on other pages. */
export function renderDocumentList({ basePath, path, hasConsole }: ListFrame): string {
  if (!DOCUMENT_TITLES.has(path)) return '';
  const groups = Object.entries(GROUPS).map(([group, titles]) => {
    const shown = Object.entries(titles).filter(([each]) => hasConsole || each !== '/docs/console');
    const items = shown.map(([each, title]) => {
      const mark = each === path ? ' aria-current="page"' : '';
      return `<li><a href="${basePath}${each}"${mark}>${title}</a></li>`;
    });
    return `<li><span class="tag">${group}</span>\n<ul>\n${items.join('\n')}\n</ul></li>`;
  });
  return `<nav class="guide library" aria-label="All documents" tabindex="0">
<details>
<summary>Documents</summary>
<ul class="nav">
${groups.join('\n')}
</ul>
</details>
</nav>
`;
}

/** Returns links to the documents before and after the present one as HTML; empty on other pages. */
export function renderNeighbours({ basePath, path, hasConsole }: ListFrame): string {
  const shown = [...DOCUMENT_TITLES].filter(([each]) => hasConsole || each !== '/docs/console');
  const place = shown.findIndex(([each]) => each === path);
  if (place < 0) return '';
  const link = (entry: (typeof shown)[number] | undefined, rel: 'prev' | 'next') =>
    entry === undefined
      ? ''
      : `<a rel="${rel}" href="${basePath}${entry[0]}"><small>${rel === 'prev' ? 'Previous' : 'Next'}</small>${escapeHtml(entry[1])}</a>`;
  return `<nav class="neighbours" aria-label="Previous and next document">
${link(shown[place - 1], 'prev')}${link(shown[place + 1], 'next')}
</nav>
`;
}
