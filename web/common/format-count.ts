import { pageLanguage } from './page-language.ts';

const COUNT = new Intl.NumberFormat(pageLanguage);

/** Returns the number with groups of digits: `2,347`. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}
