import { type ComponentChild, render } from 'preact';

/** Renders the page instead of the static content of its document. */
export function renderPage(content: ComponentChild): void {
  const root = document.getElementById('app')!;
  root.replaceChildren();
  render(content, root);
}
