import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createPalette, formatProperties, getContrast, parseColor, SURFACES } from './brand-color.ts';

const anyColor = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('the colour of a brand', () => {
  test('the contrast of two colours has the values that WCAG 2.2 and its tools state', () => {
    const known = [
      ['#000000', '#ffffff', '21.00'],
      ['#ffffff', '#ffffff', '1.00'],
      ['#767676', '#ffffff', '4.54'],
      ['#777777', '#ffffff', '4.48'],
      ['#ff0000', '#ffffff', '4.00'],
      ['#0000ff', '#ffffff', '8.59'],
    ] as const;
    for (const [one, other, ratio] of known) {
      assert.equal(getContrast(one, other).toFixed(2), ratio);
      assert.equal(getContrast(other, one).toFixed(2), ratio);
    }
  });

  test('with every colour, texts on buttons and links reach a contrast of 4.5 to 1 in both schemes, and buttons an edge of 3 to 1', () => {
    const extremes = ['#000000', '#ffffff', '#ffff00', '#757575', '#767676', '#777777', '#0000ff', '#00ff00'];
    fc.assert(
      fc.property(fc.oneof(anyColor, fc.constantFrom(...extremes)), (color) => {
        const { fill, hover, text, ...schemes } = createPalette(color)!;
        assert.equal(fill, color);
        for (const behind of [fill, hover]) assert.ok(getContrast(text, behind) >= 4.5, `text on ${behind}`);
        for (const scheme of ['light', 'dark'] as const) {
          const { accent, tint, edge } = schemes[scheme];
          const { surface, hover } = SURFACES[scheme];
          for (const behind of [surface, hover, tint])
            assert.ok(getContrast(accent, behind) >= 4.5, `a link on ${behind} in ${scheme}`);
          const border = edge === 'transparent' ? fill : edge;
          assert.ok(getContrast(border, surface) >= 3, `the edge in ${scheme}`);
        }
      }),
    );
  });

  test('a colour that is readable as it is stays the colour of links', () => {
    assert.equal(createPalette('#3a4cc9')!.light.accent, '#3a4cc9');
    assert.equal(createPalette('#a9b6ff')!.dark.accent, '#a9b6ff');
  });

  test('hexadecimal colours of three or six digits are accepted, and no other text gets into a style sheet', () => {
    assert.equal(parseColor(' #0aF '), '#00aaff');
    for (const wrong of ['', 'red', '#12', '#12345', '3f52d4', '#3f52d4;}', 'rgb(1,2,3)', '#ggg'])
      assert.equal(createPalette(wrong), null, wrong);
    fc.assert(
      fc.property(anyColor, (color) => {
        const lines = formatProperties(createPalette(color)!).split('\n').slice(1, -2);
        for (const line of lines)
          assert.match(line, /^ {2}--[a-z-]+: (?:#[\da-f]{6}|light-dark\([#\w, ]+\));$/);
      }),
    );
  });
});
