import { pageLanguage } from './page-language.ts';

/** Times of lists, as short as their distance permits. */

/**
 * Returns `Today, 11:20 AM`, `Yesterday`, `Sep 9` or `Sep 9, 2025`. @param language that of the page if it is absent
 */
export function formatShortTime(at: string, now: Date, language = pageLanguage): string {
  const time = new Date(at);
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (isSameDay(time, now)) return `Today, ${time.toLocaleTimeString(language, { timeStyle: 'short' })}`;
  if (isSameDay(time, yesterday)) return 'Yesterday';
  return formatDay(time, now, language);
}

/** Returns `11:20:05 AM`, on another day `Sep 9, 11:20:05 AM`. @param language as above */
export function formatPreciseTime(at: string, now: Date, language = pageLanguage): string {
  const time = new Date(at);
  const clock = time.toLocaleTimeString(language, { timeStyle: 'medium' });
  return isSameDay(time, now) ? clock : `${formatDay(time, now, language)}, ${clock}`;
}

/** Returns `Sep 9` or `Sep 9, 2025`. @param language as above */
export function formatDay(time: Date, now: Date, language = pageLanguage): string {
  const year = time.getFullYear() === now.getFullYear() ? undefined : 'numeric';
  return time.toLocaleDateString(language, { day: 'numeric', month: 'short', year });
}

function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}
