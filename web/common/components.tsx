/** Parts of all pages: headings, buttons, panels, facts, states of what is loaded. */
import {
  type ButtonHTMLAttributes,
  type ComponentChild,
  type ComponentChildren,
  options,
  type RefObject,
  render,
} from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ApiError } from './api.ts';
import { Icon, type IconName } from './icon.tsx';
import { instanceName } from './instance.ts';
import { capitalize } from './page-language.ts';
import type { Loaded } from './use-load.ts';

/** Names, addresses, identifiers and commands, which browsers must not translate. */
const UNTRANSLATED = ['bdi', 'code', 'pre'];
options.vnode = ({ type, props }) => {
  if (UNTRANSLATED.includes(type as string)) Object.assign(props, { translate: false });
};

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

export interface ButtonProps extends ButtonHTMLAttributes {
  readonly icon?: IconName;
  readonly text?: string;
}

/** A button that does not submit its form. Children follow the icon and the text. */
export function Button({ icon, text, children, ...attributes }: ButtonProps) {
  return (
    <button type="button" {...attributes}>
      {icon && <Icon name={icon} />}
      {text}
      {children}
    </button>
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
      {retry && <Button text="Try again" class="secondary" onClick={retry} />}
    </div>
  );
}

interface PageHeadProps {
  /** Title of the page and its window. */
  readonly title: string;
  /** In place of the title; that of a record is its name. */
  readonly heading?: ComponentChildren;
  /** Leads from a record back to the list. */
  readonly back?: ComponentChildren;
  /** A line below the title. */
  readonly context: ComponentChildren;
  /** The buttons of the page. */
  readonly children?: ComponentChildren;
}

export function PageHead({ title, heading, back, context, children }: PageHeadProps) {
  return (
    <div class="page-head">
      <div>
        {back}
        <ViewHeading title={title}>{heading ?? (back ? <bdi>{title}</bdi> : title)}</ViewHeading>
        <p class="context">{context}</p>
      </div>
      {children}
    </div>
  );
}

interface PanelProps {
  readonly title: string;
  /** Id of the heading. */
  readonly id: string;
  /** For headings that get the focus from a script. */
  readonly heading?: RefObject<HTMLHeadingElement | null>;
  /** Content beside the title. */
  readonly beside?: ComponentChildren;
  /** Further classes of a body with room around its content, which is at the edges without it. */
  readonly body?: '' | 'stack' | 'stack tight';
  readonly children: ComponentChildren;
}

/** A section with its title. */
export function Panel({ title, id, heading, beside, body, children }: PanelProps) {
  return (
    <section class="panel" aria-labelledby={id}>
      <header>
        <h2 id={id} ref={heading ?? null} tabIndex={heading && -1}>
          {title}
        </h2>
        {beside}
      </header>
      {body === undefined ? children : <div class={`body ${body}`}>{children}</div>}
    </section>
  );
}

/** A name and its value in a list of facts. */
export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface FactsProps {
  /** Values by name. Those without a content are left out. */
  readonly facts: Readonly<Record<string, ComponentChildren>>;
  /** Further classes of the list. */
  readonly class?: string;
}

export function Facts({ facts, class: classes = '' }: FactsProps) {
  const given = Object.entries(facts).filter(([, content]) => content != null && content !== false);
  return (
    <dl class={`facts ${classes}`}>
      {given.map(([name, content]) => (
        <Fact key={name} name={name}>
          {content}
        </Fact>
      ))}
    </dl>
  );
}

interface LoadStateProps {
  readonly loaded: Loaded<unknown>;
  /** `the status` */
  readonly what: string;
  readonly retry: () => void;
}

/** Says that the data are loading, unless earlier ones are shown, or why they could not be loaded. */
export function LoadState({ loaded, what, retry }: LoadStateProps) {
  if (loaded.state === 'failed')
    return <Failure what={`${capitalize(what)} could not be loaded`} error={loaded.error} retry={retry} />;
  return loaded.data === undefined ? <Loading what={what} /> : null;
}

export { capitalize, formatCount, formatCounted } from './page-language.ts';
