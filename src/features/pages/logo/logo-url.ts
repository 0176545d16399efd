import type { CurrentSettings } from '../../../settings/run-time-settings.ts';

/** Returns the URL of the logo below the base path, another one for each logo; null if there is none. */
export function logoUrl({ logo }: Pick<CurrentSettings, 'logo'>, basePath: string): string | null {
  return logo === null ? null : `${basePath}/logo?v=${logo.version}`;
}

/** Returns the URLs of the style sheets that follow those of all pages. */
export function brandStyles({ brandColor }: Pick<CurrentSettings, 'brandColor'>, basePath: string): string[] {
  return brandColor === null ? [] : [`${basePath}/brand.css?color=${brandColor.slice(1)}`];
}
