/**
 * The pages are in English: numbers and dates are written as in the English that the reader prefers. Languages of a
 * browser may be no language tags, such as `en-US@posix` of one that takes them from the environment.
 */
export const pageLanguage =
  globalThis.navigator?.languages?.find((tag) => /^en(?:-[a-z\d]{2,8})*$/i.test(tag)) ?? 'en';

const COUNT = new Intl.NumberFormat(pageLanguage);

/** Returns the number with groups of digits: `2,347`. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** Returns `1 user`, `2,347 users`. */
export function formatCounted(count: number, noun: string): string {
  return `${formatCount(count)} ${count === 1 ? noun : `${noun}s`}`;
}

/** Returns `412 MB`, `4.1 kB`. */
export function formatSize(bytes: number): string {
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

/** Units of time with their seconds, the largest first. */
export const TIME_UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Returns `800 ms`, `3.7 s`, `4 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 60) return `${seconds.toLocaleString(pageLanguage, { maximumFractionDigits: 1 })} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Returns the text with a capital letter at its beginning. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
