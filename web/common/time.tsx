/** Times of the API (ISO 8601), in the language and the time zone of the reader. */
import { pageLanguage } from './page-language.ts';
import { formatPreciseTime, formatShortTime } from './short-time.ts';

const LONG = new Intl.DateTimeFormat(pageLanguage, { dateStyle: 'medium', timeStyle: 'short' });
const FULL = new Intl.DateTimeFormat(pageLanguage, { dateStyle: 'full', timeStyle: 'long' });

/** The zone of the times that are shown. */
export const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

interface TimeProps {
  readonly at: string | null;
  readonly otherwise?: string;
}

/** Day and time: `Sep 9, 2026, 11:20 AM`. */
export function Time({ at, otherwise = 'never' }: TimeProps) {
  return at === null ? otherwise : <TimeElement at={at} text={formatTime(at)} />;
}

/** As short as its distance permits: `Today, 11:20 AM`, `Yesterday`, `Sep 9`, `Sep 9, 2025`. */
export function ShortTime({ at, otherwise = 'never' }: TimeProps) {
  return at === null ? otherwise : <TimeElement at={at} text={formatShortTime(at, new Date())} />;
}

/** With seconds, and the day unless it is today: `11:20:05 AM`, `Sep 9, 11:20:05 AM`. */
export function PreciseTime({ at }: { readonly at: string }) {
  return <TimeElement at={at} text={formatPreciseTime(at, new Date())} />;
}

function TimeElement({ at, text }: { readonly at: string; readonly text: string }) {
  return (
    <time dateTime={at} title={FULL.format(new Date(at))}>
      {text}
    </time>
  );
}

export function formatTime(at: string): string {
  return LONG.format(new Date(at));
}
