/** Texts about backups. */
import type { Backups } from '../../common/api-types.ts';
import { pageLanguage } from '../../common/page-language.ts';

const RELATIVE = new Intl.RelativeTimeFormat(pageLanguage, { numeric: 'auto' });
const MINUTES = 60_000;

/** `2 hours ago`, `in 5 minutes`; `Never` without a time. */
export function formatAge(at: string | null, now = Date.now()): string {
  if (at === null) return 'Never';
  const minutes = Math.round((Date.parse(at) - now) / MINUTES);
  if (Math.abs(minutes) < 60) return RELATIVE.format(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return Math.abs(hours) < 48
    ? RELATIVE.format(hours, 'hour')
    : RELATIVE.format(Math.round(hours / 24), 'day');
}

/** `412 MB`, `4.1 kB` */
export function formatSize(bytes: number | null): string {
  if (bytes === null) return '';
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const options = {
    style: 'unit',
    unit: units[power]!,
    unitDisplay: 'short',
    maximumSignificantDigits: 3,
  } as const;
  return new Intl.NumberFormat(pageLanguage, options).format(bytes / 1_000 ** power);
}

/** `800 ms`, `3.7 s`, `4 min 5 s` */
export function formatSeconds(milliseconds: number | null): string {
  if (milliseconds === null) return '';
  if (milliseconds < 1_000) return `${milliseconds} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 60) return `${seconds.toLocaleString(pageLanguage, { maximumFractionDigits: 1 })} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

export function describeSchedule({
  directory,
  every_hours,
  keep,
  verifies,
  is_encrypted,
}: Backups['schedule']) {
  if (directory === null) return 'The service makes no backups: set BACKUP_DIR, and restart it.';
  const hours = every_hours === 1 ? 'Every hour' : `Every ${every_hours.toLocaleString(pageLanguage)} hours`;
  const details = [
    ...(is_encrypted ? ['encrypted'] : []),
    ...(verifies ? ['verified by a restore'] : []),
    `the last ${keep} are kept`,
  ];
  return `${hours} to ${directory}, ${details.join(', ')}.`;
}
