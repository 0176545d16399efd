/** The menu of documents, which their pages have too (src/features/pages/documents/markdown-page.ts). */
import { basePath } from '../common/api.ts';
import { ThemeChoice } from '../common/theme-choice.tsx';

const DOCUMENTS = {
  '/docs/accounts': 'Accounts',
  '/docs/problems': 'Problems',
  '/docs/idempotency': 'Idempotency',
  '/docs/lifecycle': 'Lifecycle',
  '/docs/operations': 'Operations',
  '/docs/security': 'Security',
  '/openapi.json': 'OpenAPI',
};

/** Whether the service has a console. */
export const hasConsole = document.documentElement.dataset.console !== undefined;

export function Header() {
  return (
    <header class="frame">
      <a class="home" href={`${basePath}/`}>
        Frontdesk
      </a>
      <nav aria-label="Documents">
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
