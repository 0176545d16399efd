/** Spaces, dashes of every kind (phones replace `-` by a longer one), and characters that are not seen. */
const BETWEEN = /[\s\p{Pd}\p{Cf}\u2212]/gu;
/** The full-width forms of the visible ASCII characters follow them at this distance. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const DISTANCE = 0xfee0;

/** Returns a code without what people and keyboards put into it: spaces, dashes, full-width and lower-case characters. */
export const normalizeTypedCode = (code: string): string =>
  code
    .replace(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - DISTANCE))
    .replace(BETWEEN, '')
    .toUpperCase();
