/** The bar of the pages for readers, which documents have too (src/features/pages/documents/document-frame.ts). */
import { basePath } from '../common/api.ts';
import { Logo } from '../common/icon.tsx';
import { instanceLogo, instanceName } from '../common/instance.ts';
import { ThemeChoice } from '../common/theme-choice.tsx';

/** Whether the service has a console. */
export const hasConsole = document.documentElement.dataset.console !== undefined;

export function Header() {
  return (
    <header class="bar">
      <a class="brand" href={`${basePath}/`}>
        {instanceLogo.value === null ? <Logo /> : <img class="logo" src={instanceLogo.value} alt="" />}
        <bdi>{instanceName}</bdi>
      </a>
      <button type="button" class="compact plain" popovertarget="pages-menu">
        Menu
      </button>
      <nav class="across nav" id="pages-menu" aria-label="Pages" popover>
        <a href={`${basePath}/`}>Documents</a>
        <a href={`${basePath}/docs`} aria-current="page">
          API reference
        </a>
        {hasConsole && <a href={`${basePath}/console`}>Console</a>}
      </nav>
      <ThemeChoice />
    </header>
  );
}
