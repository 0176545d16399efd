/** The bar of the documents, which their pages have too (src/features/pages/documents/markdown-page.ts). */
import { basePath } from '../common/api.ts';
import { Logo } from '../common/icon.tsx';
import { ThemeChoice } from '../common/theme-choice.tsx';

const DOCUMENTS = {
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

/** Whether the service has a console. */
export const hasConsole = document.documentElement.dataset.console !== undefined;

export function Header() {
  return (
    <header class="bar">
      <a class="brand" href={`${basePath}/`}>
        <Logo />
        Frontdesk
      </a>
      <button type="button" class="compact plain" popovertarget="documents-menu">
        Menu
      </button>
      <nav class="across nav" id="documents-menu" aria-label="Documents" popover>
        <a href={`${basePath}/docs`} aria-current="page">
          API reference
        </a>
        {Object.entries(DOCUMENTS).map(([path, label]) => (
          <a key={path} href={basePath + path}>
            {label}
          </a>
        ))}
        {hasConsole && <a href={`${basePath}/console`}>Console</a>}
      </nav>
      <ThemeChoice />
    </header>
  );
}
