import { type ComponentChild, render } from 'preact';

/** Renders the page in place of what its document shows while the scripts are not loaded. */
export function renderPage(content: ComponentChild): void {
  const root = document.getElementById('app')!;
  root.replaceChildren();
  render(content, root);
}
