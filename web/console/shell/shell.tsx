/** The frame of all pages: navigation at the side, or a bar with a menu where there is no room beside the content. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, basePath } from '../../common/api.ts';
import type { Alert } from '../../common/api-types.ts';
import { Button, Failure, formatCount } from '../../common/components.tsx';
import { Icon, Logo } from '../../common/icon.tsx';
import { instanceName } from '../../common/instance.ts';
import { Link, path } from '../../common/router.tsx';
import { ThemeChoice } from '../../common/theme-choice.tsx';
import { timeZone } from '../../common/time.tsx';
import { toApiError } from '../../common/use-load.ts';
import { DOCUMENTS, HOME, isPermitted, PAGE_GROUPS, SERVICE } from '../pages.ts';
import { openPalette } from '../palette/entries.ts';
import { formatSignedIn, read, signedIn, signOut } from '../session.ts';
import { StatusLine } from '../status.tsx';

const MENU = 'menu';

export function Shell({ children }: { readonly children: ComponentChildren }) {
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <div class="shell">
        <header class="bar">
          <Button icon="menu" class="plain square" popovertarget={MENU} aria-label="Menu" />
          <Brand />
        </header>
        <Navigation id={MENU}>
          <Brand />
        </Navigation>
        <main class="page" id="content" tabIndex={-1}>
          {children}
          <p class="muted small">Times and days are those of {timeZone}.</p>
          <StatusLine />
        </main>
      </div>
    </>
  );
}

/** The name of the service, and where it is. */
function Brand() {
  return (
    <Link class="brand" to={HOME}>
      <Logo />
      <span>
        {instanceName}
        <small>{location.host}</small>
      </span>
    </Link>
  );
}

interface NavigationProps {
  /** The buttons that open it as a menu have this as their target. */
  readonly id: string;
  readonly children: ComponentChildren;
}

function Navigation({ id, children }: NavigationProps) {
  const menu = useRef<HTMLElement>(null);
  useCounts();
  useEffect(() => menu.current?.hidePopover(), [path.value]);
  return (
    <nav class="side" id={id} popover="auto" aria-label="Console" ref={menu}>
      {children}
      <Search />
      {PAGE_GROUPS.filter((group) => group.pages.some(isPermitted)).map(({ title, pages }) => (
        <div class="nav" key={title}>
          {title && <h2>{title}</h2>}
          {pages.filter(isPermitted).map(({ path: to, label, icon }) => (
            <Link key={to} to={to} aria-current={isCurrent(to) ? 'page' : undefined}>
              <Icon name={icon} />
              {label}
              <Count of={to} />
            </Link>
          ))}
          {title === SERVICE &&
            DOCUMENTS.map(({ path: to, label, icon }) => (
              <a key={to} href={basePath + to}>
                <Icon name={icon} />
                {label}
              </a>
            ))}
        </div>
      ))}
      <Account />
    </nav>
  );
}

/** Opens the palette, which finds more than pages. */
function Search() {
  return (
    <Button icon="search" class="find" aria-haspopup="dialog" onClick={openPalette}>
      Search
      <kbd class="end">Ctrl K</kbd>
    </Button>
  );
}

function isCurrent(to: string): boolean {
  return to === HOME ? path.value === to : path.value.startsWith(to);
}

function Account() {
  const [error, setError] = useState<ApiError | null>(null);
  const leave = () => {
    signOut().catch((failure) => setError(toApiError(failure)));
  };
  return (
    <>
      <div class="account">
        <SignedIn />
        <ThemeChoice />
        <Button
          icon="leave"
          class="plain square compact"
          aria-label="Sign out"
          title="Sign out"
          onClick={leave}
        />
      </div>
      {error && <Failure what="You could not be signed out" error={error} retry={leave} />}
    </>
  );
}

/** The account of a person is among the pages that everybody has. */
function SignedIn() {
  const name = (
    <>
      <span class="visually-hidden">Signed in as </span>
      <bdi>{formatSignedIn()}</bdi>
    </>
  );
  if (signedIn.value?.role == null) return <span title={formatSignedIn()}>{name}</span>;
  return (
    <a href={`${basePath}/account`} title={`${formatSignedIn()}: your account`}>
      {name}
    </a>
  );
}

/** Older counts are read again when another page is opened. */
const MAX_AGE_MS = 15_000;

/** Pages that list the records of an alert. */
const PAGES: Readonly<Partial<Record<Alert['kind'], string>>> = {
  mail_failed: '/console/mail',
  mail_waiting: '/console/mail',
  webhook_failing: '/console/webhooks',
  submissions_held: '/console/forms',
  identity_provider_failing: '/console/sign-in',
  backup: '/console/backups',
};

const alerts = signal<readonly Alert[]>([]);
let readAt = Number.NEGATIVE_INFINITY;

/** Reads the counts when the console opens, and when another page is opened. The navigation is complete without them. */
function useCounts(): void {
  useEffect(() => {
    if (Date.now() - readAt < MAX_AGE_MS) return;
    readAt = Date.now();
    read<{ alerts: Alert[] }>('/api/v1/admin/alerts').then(
      (found) => {
        alerts.value = found.alerts;
      },
      () => {},
    );
  }, [path.value]);
}

function Count({ of }: { readonly of: string }) {
  const found = alerts.value.filter(({ kind }) => PAGES[kind] === of);
  if (found.length === 0) return null;
  const meaning = found.map(({ message }) => message).join('; ');
  return (
    <span key={meaning} class="count end" title={meaning}>
      {formatCount(found.reduce((sum, { count }) => sum + count, 0))}
      <span class="visually-hidden">{meaning}</span>
    </span>
  );
}
