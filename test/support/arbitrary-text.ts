/** Arbitrary text and URLs for property tests. */
import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;
const CODE_POINTS = 0x11_0000;

/**
 * Any code point but surrogates, as a unit of `fc.string`. It has the values of the unit `binary` of fast-check, which
 * makes a table of all of them: more than a second in each process that uses it.
 */
const codePoint = fc.nat(CODE_POINTS - SURROGATES - 1).map(toCharacter, toIndex);

/** Returns arbitrary well-formed text. */
export function anyText(constraints: fc.StringConstraints = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: codePoint });
}

function toCharacter(index: number): string {
  return String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES);
}

/** @throws when the value is not one character, by which fast-check finds out what the arbitrary creates */
function toIndex(value: unknown): number {
  const code = typeof value === 'string' ? value.codePointAt(0) : undefined;
  if (code === undefined || value !== String.fromCodePoint(code) || !value.isWellFormed())
    throw new Error('Not a character');
  return code < FIRST_SURROGATE ? code : code - SURROGATES;
}

const encoded = anyText().map(encodeURIComponent);

/** URLs with a path, some with a query and a fragment. `fc.webUrl` uses the unit `binary`. */
export const anyUrl = fc
  .record({
    scheme: fc.constantFrom('http', 'https'),
    authority: fc.webAuthority(),
    path: fc.array(encoded).map((segments) => segments.map((segment) => `/${segment}`).join('')),
    query: fc.oneof(
      fc.constant(''),
      encoded.map((text) => `?${text}`),
    ),
    fragment: fc.oneof(
      fc.constant(''),
      encoded.map((text) => `#${text}`),
    ),
  })
  .map(
    ({ scheme, authority, path, query, fragment }) => `${scheme}://${authority}${path}${query}${fragment}`,
  );
