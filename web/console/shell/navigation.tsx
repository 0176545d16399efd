/** The navigation: pages by group, then who is signed in. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, basePath } from '../../common/api.ts';
import { Failure } from '../../common/components.tsx';
import { Icon } from '../../common/icon.tsx';
import { Link, path } from '../../common/router.tsx';
import { ThemeChoice } from '../../common/theme-choice.tsx';
import { toApiError } from '../../common/use-load.ts';
import { ACCOUNT, DOCUMENTS, HOME, isPermitted, PAGE_GROUPS, SERVICE } from '../pages.ts';
import { formatSignedIn } from '../permissions.ts';
import { signOut } from '../session.ts';

interface NavigationProps {
  /** The buttons that open it as a menu have this as their target. */
  readonly id: string;
  readonly children: ComponentChildren;
}

export function Navigation({ id, children }: NavigationProps) {
  const menu = useRef<HTMLElement>(null);
  useEffect(() => menu.current?.hidePopover(), [path.value]);
  return (
    <nav class="side" id={id} popover="auto" aria-label="Console" ref={menu}>
      {children}
      {PAGE_GROUPS.filter(isShown).map(({ title, pages }) => (
        <div class="nav" key={title}>
          {title && <h2>{title}</h2>}
          {pages.filter(isPermitted).map(({ path: to, label, icon }) => (
            <Link key={to} to={to} aria-current={isCurrent(to) ? 'page' : undefined}>
              <Icon name={icon} />
              {label}
            </Link>
          ))}
          {title === SERVICE &&
            DOCUMENTS.map((document) => <DocumentLink key={document.path} {...document} />)}
        </div>
      ))}
      <Account />
    </nav>
  );
}

/** Not a heading without pages. */
function isShown({ pages }: (typeof PAGE_GROUPS)[number]): boolean {
  return pages.some(isPermitted);
}

function isCurrent(to: string): boolean {
  return to === HOME ? path.value === to : path.value.startsWith(to);
}

/** Leads out of the console. */
function DocumentLink({ path: to, label, icon }: (typeof DOCUMENTS)[number]) {
  return (
    <a href={basePath + to}>
      <Icon name={icon} />
      {label}
    </a>
  );
}

function Account() {
  const [error, setError] = useState<ApiError | null>(null);
  const leave = () => {
    signOut().catch((failure) => setError(toApiError(failure)));
  };
  return (
    <>
      <div class="account">
        <p class="context">
          Press <kbd>?</kbd> for the keys
        </p>
        <Link
          to={ACCOUNT.path}
          title={formatSignedIn()}
          aria-current={isCurrent(ACCOUNT.path) ? 'page' : undefined}
        >
          <span class="visually-hidden">Signed in as </span>
          <bdi>{formatSignedIn()}</bdi>
        </Link>
        <ThemeChoice />
        <button
          type="button"
          class="plain square compact"
          aria-label="Sign out"
          title="Sign out"
          onClick={leave}
        >
          <Icon name="leave" />
        </button>
      </div>
      {error && <Failure what="You could not be signed out" error={error} retry={leave} />}
    </>
  );
}
