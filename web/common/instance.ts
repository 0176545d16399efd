/** The name and the logo of the instance, as the page was served; views that change them replace them. */
import { signal } from '@preact/signals';

export const instanceName = signal(
  document.querySelector<HTMLMetaElement>('meta[name=application-name]')?.content || 'Frontdesk',
);

/** URL of the logo; null if there is none. */
export const instanceLogo = signal<string | null>(document.documentElement.dataset.logo ?? null);
