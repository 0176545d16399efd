/** The pages are in English: numbers and dates are written as in the English that the reader prefers. */
export const pageLanguage = globalThis.navigator?.languages?.find((tag) => /^en\b/i.test(tag)) ?? 'en';
