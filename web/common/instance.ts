/** What the page was served with: the name, the logo and the colour of the instance, which views replace when they change them. */
import { signal } from '@preact/signals';

export const instanceName = signal(
  document.querySelector<HTMLMetaElement>('meta[name=application-name]')?.content || 'Frontdesk',
);

/** URL of the logo; null if there is none. */
export const instanceLogo = signal<string | null>(document.documentElement.dataset.logo ?? null);

/** BRAND_COLOR; null if there is none. */
export const brandColor = signal<string | null>(document.documentElement.dataset.color ?? null);

/** Whether the service has a console. */
export const hasConsole = document.documentElement.dataset.console !== undefined;
