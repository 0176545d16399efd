import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createBoundsPattern, isDate } from './values.ts';

const pad = (value: number, digits = 2) => String(value).padStart(digits, '0');

/** Texts in the form of dates: all months and days of two digits up to the 33rd. */
function writeDates(year: number): string[] {
  return Array.from({ length: 14 * 34 }, (_, index) =>
    [pad(year, 4), pad(Math.floor(index / 34)), pad(index % 34)].join('-'),
  );
}

/** Whether `Date` reads the text as the same day. */
function isReal(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !text.startsWith('0000') && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

describe('dates', () => {
  test('isDate accepts the days of each month and leap days, as Date reads them back', () => {
    // All kinds of leap years, and each last digit of years and centuries.
    const years = [...Array(104).keys()].flatMap((year) => [year, 1900 + year, year * 96 + 4]);
    for (const text of years.flatMap(writeDates)) assert.equal(isDate(text), isReal(text), text);
  });

  test('the pattern of bounds accepts the dates that are neither before nor after them', () => {
    const dates = [0, 1, 999, 1000, 1989, 1990, 1999, 2000, 2009, 2019, 2024, 9999].flatMap(writeDates);
    for (const [min, max] of [
      ['0001-01-01', '9999-12-31'],
      ['1990-10-09', '2019-09-30'],
      ['1999-12-31', '2000-01-01'],
      ['2024-02-29', '2024-02-29'],
      ['2000-02-29', undefined],
      [undefined, '2009-11-10'],
      [undefined, undefined],
    ]) {
      const pattern = new RegExp(`^${createBoundsPattern(min, max)}`, 'u');
      for (const date of dates)
        assert.equal(
          pattern.test(date),
          date >= (min ?? '') && date <= (max ?? 'z'),
          `${min} ${date} ${max}`,
        );
    }
  });
});
