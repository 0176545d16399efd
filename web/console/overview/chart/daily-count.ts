/** Counts of UTC days, and how they are written. The last day is today, of which only a part has passed. */
import type { DailyCount } from '../../../common/api-types.ts';
import { formatCount } from '../../../common/components.tsx';
import { pageLanguage } from '../../../common/page-language.ts';

export type { DailyCount } from '../../../common/api-types.ts';

const DAY = new Intl.DateTimeFormat(pageLanguage, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const WEEKDAY = new Intl.DateTimeFormat(pageLanguage, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

/** `Nov 22` */
export function formatDay(date: string): string {
  return DAY.format(new Date(date));
}

/** `Sun, Nov 22` */
export function formatWeekday(date: string): string {
  return WEEKDAY.format(new Date(date));
}

/** Returns the times between which a day of UTC lies. */
export function toSpan(date: string): Record<'from' | 'to', string> {
  const start = Date.parse(date);
  return { from: new Date(start).toISOString(), to: new Date(start + 86_400_000).toISOString() };
}

export function isMonday(date: string): boolean {
  return new Date(date).getUTCDay() === 1;
}

/** `Sun, Nov 22: 4 new users` */
export function describeDay({ date, count }: DailyCount, unit: string): string {
  return `${formatWeekday(date)}: ${formatCount(count)} ${unit}`;
}

/** `Most 52 on Nov 19, today 40` */
export function summarizeDays(days: readonly DailyCount[]): string {
  const highest = days.reduce((one, other) => (other.count > one.count ? other : one));
  if (highest.count === 0) return `None in ${days.length} days`;
  return `Most ${formatCount(highest.count)} on ${formatDay(highest.date)}, today ${formatCount(days.at(-1)!.count)}`;
}
