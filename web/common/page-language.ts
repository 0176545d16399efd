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
