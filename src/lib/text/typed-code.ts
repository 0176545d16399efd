/** Spaces, dashes of every kind (phones replace `-` by a longer one), and characters that are not seen. */
const BETWEEN = /[\s\p{Pd}\p{Cf}\u2212]/gu;
/** The ASCII characters in the width of East Asian ones. */
const FULL_WIDTH = /[\uFF01-\uFF5E]/g;

/** Returns a code without what people and keyboards put into it: spaces, dashes, full-width and lower-case characters. */
export const normalizeTypedCode = (code: string): string =>
  code
    .replace(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replace(BETWEEN, '')
    .toUpperCase();
