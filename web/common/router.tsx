/** The view in the URL: every view of the pages is a link, and Back, Forward and reload show it again. */
import { computed, signal } from '@preact/signals';
import type { AnchorHTMLAttributes, ComponentChildren } from 'preact';
import { basePath } from './api.ts';

/** Where the person was in a view when another one was opened. */
interface Place {
  readonly to: string;
  readonly scroll: number;
}

let place: Place | undefined;

const url = signal(new URL(window.location.href));
addEventListener('popstate', () => {
  place = readKept('place') as Place | undefined;
  url.value = new URL(window.location.href);
});

/** The path below the base path. */
export const path = computed(() => url.value.pathname.slice(basePath.length).replace(/(?<=.)\/$/, ''));
export const query = computed(() => url.value.searchParams);
/** State that the history keeps beside the URL: Back, Forward and reload restore it, another tab has null. */
export const historyState = computed(() => url.value && (history.state as unknown));

interface Navigation {
  /** Replaces the present view in the history. */
  readonly replace?: boolean;
  readonly state?: unknown;
}

/** Adds members to the state of the present view. */
export function keep(members: object): void {
  history.replaceState({ ...history.state, ...members }, '');
}

export function readKept(member: string): unknown {
  return (history.state as Readonly<Record<string, unknown>> | null)?.[member];
}

/** Returns to the place in a list that was left, once, after Back or Forward: the row has the focus again. */
export function restorePlace(): void {
  if (place === undefined) return;
  const { to, scroll } = place;
  place = undefined;
  const row = document.querySelector<HTMLElement>(`.records a[href="${CSS.escape(basePath + to)}"]`);
  row?.focus({ preventScroll: true });
  scrollTo(0, scroll);
}

/** Shows another view. */
export function navigate(to: string, { replace = false, state = null }: Navigation = {}): void {
  if (!replace) keep({ place: { to, scroll: scrollY } satisfies Place });
  place = undefined;
  if (replace) history.replaceState(state, '', basePath + to);
  else history.pushState(state, '', basePath + to);
  url.value = new URL(window.location.href);
}

/** Returns the path with these parameters; null, undefined and the empty string leave one out. */
export function withQuery(
  to: string,
  parameters: Readonly<Record<string, string | null | undefined>>,
): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? to : `${to}?${new URLSearchParams(given)}`;
}

type LinkAttributes = Pick<AnchorHTMLAttributes, 'tabindex' | 'onKeyDown' | 'onFocus' | 'onBlur'>;

export interface LinkProps extends LinkAttributes {
  readonly to: string;
  /** Kept in the history with the view (`historyState`). */
  readonly state?: unknown;
  readonly class?: string | undefined;
  readonly title?: string;
  readonly 'aria-current'?: 'page' | undefined;
  readonly children: ComponentChildren;
}

/** A link to another view, which opens in a new tab as any link does. */
export function Link({ to, state, children, ...attributes }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to, { state });
  };
  return (
    <a {...attributes} href={basePath + to} onClick={follow}>
      {children}
    </a>
  );
}
