/** The pages of the console, in the order of the navigation. The service has their paths in `CONSOLE_PATHS` as well. */
import type { ComponentType } from 'preact';
import type { IconName } from '../common/icon.tsx';
import { Events } from './events/events.tsx';
import { FormCheck } from './form-check/form-check.tsx';
import { Overview } from './overview/overview.tsx';
import { Settings } from './settings/settings.tsx';
import { Users } from './users/users.tsx';
import { Webhooks } from './webhooks/webhooks.tsx';

export interface Page {
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  readonly view: ComponentType;
}

interface PageGroup {
  /** Empty for the first group, which has no heading. */
  readonly title: string;
  readonly pages: readonly Page[];
}

export const HOME = '/console';

export const PAGE_GROUPS: readonly PageGroup[] = [
  {
    title: '',
    pages: [
      { path: HOME, label: 'Overview', icon: 'overview', view: Overview },
      { path: '/console/users', label: 'Users', icon: 'users', view: Users },
      { path: '/console/events', label: 'Events', icon: 'events', view: Events },
      { path: '/console/webhooks', label: 'Webhooks', icon: 'webhooks', view: Webhooks },
    ],
  },
  {
    title: 'Service',
    pages: [
      { path: '/console/form-check', label: 'Form check', icon: 'form', view: FormCheck },
      { path: '/console/settings', label: 'Settings', icon: 'settings', view: Settings },
    ],
  },
];

export const PAGES: readonly Page[] = PAGE_GROUPS.flatMap(({ pages }) => pages);
