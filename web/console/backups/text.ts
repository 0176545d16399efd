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
