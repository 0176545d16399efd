/** Heads of pages and panels. */
import type { ComponentChildren, RefObject } from 'preact';
import { capitalize } from './capitalize.ts';
import { Failure, Loading, ViewHeading } from './components.tsx';
import type { Loaded } from './use-load.ts';

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
        <ViewHeading title={title}>
          {heading ?? (back ? <bdi translate={false}>{title}</bdi> : title)}
        </ViewHeading>
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
  readonly children: ComponentChildren;
}

/** A section with its title. */
export function Panel({ title, id, heading, beside, children }: PanelProps) {
  return (
    <section class="panel" aria-labelledby={id}>
      <header>
        <h2 id={id} ref={heading ?? null} tabIndex={heading && -1}>
          {title}
        </h2>
        {beside}
      </header>
      {children}
    </section>
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
