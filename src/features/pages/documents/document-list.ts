/** The documents that the service serves, in the order in which each of them lists the others. */
import type { PageFrame } from '../assets/assets.ts';

const GROUPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Use the API': {
    integrate: 'Integrate',
    accounts: 'Accounts',
    oidc: 'OpenID Connect',
    'sign-in': 'Pages to sign in',
    'sign-in-providers': 'Identity providers',
    verification: 'Verification',
    forwarding: 'Forwarding',
    events: 'Events',
    webhooks: 'Webhooks',
    forms: 'Forms',
    idempotency: 'Idempotency',
    problems: 'Problems',
    lifecycle: 'Lifecycle',
  },
  'Operate the service': {
    deployment: 'Deployment',
    configuration: 'Configuration',
    operations: 'Operations',
    console: 'Console',
    credentials: 'Credentials',
    import: 'Import',
    security: 'Security',
  },
};

export const DOCUMENT_NAMES: readonly string[] = Object.values(GROUPS).flatMap(Object.keys);

/** Returns links to all documents as HTML, the present one marked; empty on other pages. */
export function renderDocumentList({
  basePath,
  path,
  hasConsole,
}: PageFrame & { readonly path: string }): string {
  if (!DOCUMENT_NAMES.some((name) => path === `/docs/${name}`)) return '';
  const groups = Object.entries(GROUPS).map(([group, titles]) => {
    const shown = Object.entries(titles).filter(([name]) => hasConsole || name !== 'console');
    const items = shown.map(([name, title]) => {
      const mark = path === `/docs/${name}` ? ' aria-current="page"' : '';
      return `<li><a href="${basePath}/docs/${name}"${mark}>${title}</a></li>`;
    });
    return `<li><span class="tag">${group}</span>\n<ul>\n${items.join('\n')}\n</ul></li>`;
  });
  return `<nav class="contents library" aria-label="All documents">
<details>
<summary>Documents</summary>
<ul class="nav">
${groups.join('\n')}
</ul>
</details>
</nav>
`;
}
