/** Parts of all pages. */
import { type ComponentChild, type ComponentChildren, render } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ApiError } from './api.ts';
import { instanceName } from './instance.ts';

/** Renders the page instead of the static content of its document. */
export function renderPage(content: ComponentChild): void {
  const root = document.getElementById('app')!;
  root.replaceChildren();
  render(content, root);
}

/** A heading that gets the focus when its view is opened, and names the window. */
export function ViewHeading({ children, title }: Readonly<{ children: ComponentChildren; title: string }>) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · ${instanceName.value}`;
  }, [title, instanceName.value]);
  // Not after a change of the title, when the person is somewhere else in the view.
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

interface LoadingProps {
  readonly what: string;
  /** Whether it stands where a table will be. */
  readonly isTable?: boolean;
}

export function Loading({ what, isTable = false }: LoadingProps) {
  return (
    <p class={isTable ? 'loading rows' : 'loading'} aria-busy="true" role="status">
      Loading {what}…
    </p>
  );
}

interface FailureProps {
  /** Headline of the error: `The users could not be loaded`. */
  readonly what: string;
  readonly error: ApiError;
  readonly retry?: () => void;
}

export function Failure({ what, error, retry }: FailureProps) {
  return (
    <div class="notice failure" role="alert">
      <p>
        <strong>{what}.</strong> {error.message}
        {error.retryAfter === null ? '' : ` Try again in ${error.retryAfter} seconds.`}
      </p>
      {retry && (
        <button type="button" class="secondary" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

export { formatCount, formatCounted } from './page-language.ts';
