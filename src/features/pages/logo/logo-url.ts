import type { CurrentSettings } from '../../../settings/run-time-settings.ts';

/** Returns the URL of the logo below the base path, another one for each logo; null if there is none. */
export function logoUrl({ logo }: Pick<CurrentSettings, 'logo'>, basePath: string): string | null {
  return logo === null ? null : `${basePath}/logo?v=${logo.version}`;
}
