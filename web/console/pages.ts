/** The pages of the console, in the order of the navigation. The service has their paths in `CONSOLE_PATHS` as well. */
import type { ComponentType } from 'preact';
import type { AdminScope } from '../common/api-types.ts';
import type { IconName } from '../common/icon.tsx';
import { lazyView } from '../common/lazy-view.tsx';
import { Events } from './events/page.tsx';
import { may } from './session.ts';
import { UserView } from './user/view.tsx';
import { Users } from './users/page.tsx';

interface ConsolePage {
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  readonly view: ComponentType;
  /** The view of a record of the page, at its id below the path. */
  readonly record?: ComponentType<{ readonly id: string }>;
  /** Scope that the role needs; null for a page that everybody may open. */
  readonly scope: AdminScope | null;
}

interface PageGroup {
  /** Empty for the first group, which has no heading. */
  readonly title: string;
  readonly pages: readonly ConsolePage[];
}

type Views = typeof import('./views.ts');
type PageName = { [K in keyof Views]: Views[K] extends () => unknown ? K : never }[keyof Views];
const lazy = (name: PageName): ComponentType => lazyView(async () => (await import('./views.ts'))[name]);

export const HOME = '/console';
/** The group at the end, which also leads to the documents. */
export const SERVICE = 'Service';

export const PAGE_GROUPS: readonly PageGroup[] = [
  {
    title: '',
    pages: [
      {
        path: HOME,
        label: 'Overview',
        icon: 'overview',
        // With the library of its charts, which other pages need not wait for.
        view: lazyView(async () => (await import('./overview/overview.tsx')).Overview),
        scope: 'users:read',
      },
      {
        path: '/console/users',
        label: 'Users',
        icon: 'users',
        view: Users,
        record: UserView,
        scope: 'users:read',
      },
      {
        path: '/console/groups',
        label: 'Groups',
        icon: 'tag',
        view: lazy('Groups'),
        record: lazyView(async () => (await import('./views.ts')).GroupView),
        scope: 'groups:read',
      },
      { path: '/console/forms', label: 'Forms', icon: 'form', view: lazy('FormsPage'), scope: 'forms:read' },
      { path: '/console/events', label: 'Events', icon: 'events', view: Events, scope: 'events:read' },
      { path: '/console/mail', label: 'Mail', icon: 'mail', view: lazy('MailPage'), scope: 'users:read' },
      {
        path: '/console/webhooks',
        label: 'Webhooks',
        icon: 'webhooks',
        view: lazy('Webhooks'),
        record: lazyView(async () => (await import('./views.ts')).WebhookView),
        scope: 'webhooks:write',
      },
    ],
  },
  {
    title: 'Access',
    pages: [
      {
        path: '/console/applications',
        label: 'Applications',
        icon: 'window',
        view: lazy('Applications'),
        record: lazyView(async () => (await import('./views.ts')).ApplicationView),
        scope: 'applications:read',
      },
      {
        path: '/console/sign-in',
        label: 'Sign-in',
        icon: 'enter',
        view: lazy('SignInWays'),
        scope: 'identity-providers:write',
      },
      {
        path: '/console/credentials',
        label: 'Credentials',
        icon: 'key',
        view: lazy('Credentials'),
        scope: 'admin',
      },
    ],
  },
  {
    title: SERVICE,
    pages: [
      {
        path: '/console/settings',
        label: 'Settings',
        icon: 'settings',
        view: lazy('SettingsPage'),
        scope: 'settings:read',
      },
      {
        path: '/console/brand',
        label: 'Brand',
        icon: 'theme',
        view: lazy('BrandPage'),
        scope: 'settings:read',
      },
      {
        path: '/console/backups',
        label: 'Backups',
        icon: 'database',
        view: lazy('BackupsPage'),
        scope: 'settings:read',
      },
    ],
  },
];

/** Pages beside the console. */
export const DOCUMENTS: readonly Pick<ConsolePage, 'path' | 'label' | 'icon'>[] = [
  { path: '/docs', label: 'API reference', icon: 'code' },
  { path: '/', label: 'Documents', icon: 'document' },
];

export const PAGES: readonly ConsolePage[] = PAGE_GROUPS.flatMap(({ pages }) => pages);

/** Whether who is signed in may open the page. */
export function isPermitted({ scope }: Pick<ConsolePage, 'scope'>): boolean {
  return scope === null || may(scope);
}
