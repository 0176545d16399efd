/** Spaces, dashes of every kind (phones replace `-` by a longer one), and characters that are not seen. */
const BETWEEN = /[\s\p{Pd}\p{Cf}\u2212]/gu;

/** Returns a code without what people and keyboards put into it: spaces, dashes, full-width and lower-case characters. */
export const normalizeTypedCode = (code: string): string =>
  code.normalize('NFKC').replace(BETWEEN, '').toUpperCase();
