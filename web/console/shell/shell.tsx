/** The frame of all pages: navigation at the side, or a bar with a menu where there is no room beside the content. */
import type { ComponentChildren } from 'preact';
import { Icon, Logo } from '../../common/icon.tsx';
import { instanceName } from '../../common/instance.ts';
import { Link } from '../../common/router.tsx';
import { HOME } from '../pages.ts';
import { StatusLine } from '../status.tsx';
import { Navigation } from './navigation.tsx';

const MENU = 'menu';

export function Shell({ children }: { readonly children: ComponentChildren }) {
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <div class="shell">
        <header class="bar">
          <button type="button" class="plain square" popovertarget={MENU} aria-label="Menu">
            <Icon name="menu" />
          </button>
          <Brand />
        </header>
        <Navigation id={MENU}>
          <Brand />
        </Navigation>
        <main class="page" id="content" tabIndex={-1}>
          {children}
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
