/** Derives the colours of pages and messages from one, so that each text reaches the contrast of WCAG 2.2 (1.4.3). */

/** Contrast of texts with what is behind them, and of the edge of a button (1.4.11). */
const TEXT_CONTRAST = 4.5;
const EDGE_CONTRAST = 3;

/** What pages show behind links, as in web/common/style/tokens.css: `surface`, and `hover`, which is closest to the text. */
export const SURFACES = {
  light: { surface: '#ffffff', hover: '#e9ecf1', ink: '#000000', tint: 0.1 },
  dark: { surface: '#14171c', hover: '#272c36', ink: '#ffffff', tint: 0.2 },
} as const;
export type Palette = NonNullable<ReturnType<typeof createPalette>>;

/** Returns the colour as `#rrggbb`; null for a text that is not a hexadecimal colour of CSS. */
export function parseColor(text: string): string | null {
  const [, digits] = /^#((?:[\da-f]{3}){1,2})$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return null;
  return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`.toLowerCase();
}

/** Returns the contrast ratio of two colours (WCAG 2.2, definition of contrast ratio). */
export function getContrast(one: string, other: string): number {
  const [dark, light] = [getLuminance(one), getLuminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

/**
 * Returns the colours of buttons and links in both schemes. A button has the colour itself, with the text that is
 * readable on it; links have the colour, darker or lighter as far as needed. null for an invalid colour.
 */
export function createPalette(text: string) {
  const fill = parseColor(text);
  if (fill === null) return null;
  const isWhite = getContrast(fill, '#ffffff') >= TEXT_CONTRAST;
  const button = {
    fill,
    text: isWhite ? '#ffffff' : '#000000',
    hover: mix(fill, isWhite ? '#000000' : '#ffffff', 0.15),
  };
  return { ...button, light: adapt(fill, 'light'), dark: adapt(fill, 'dark') };
}

function adapt(fill: string, scheme: keyof typeof SURFACES) {
  const { surface, hover, ink, tint: share } = SURFACES[scheme];
  const tint = mix(surface, fill, share);
  let accent = fill;
  for (let step = 1; Math.min(getContrast(accent, hover), getContrast(accent, tint)) < TEXT_CONTRAST; step++)
    accent = mix(fill, ink, step / 50);
  // A button that has almost the colour of the page gets an edge.
  return { accent, tint, edge: getContrast(fill, surface) < EDGE_CONTRAST ? accent : 'transparent' };
}

/** Returns the properties of the style sheets that depend on the colour. */
export function formatProperties({ fill, hover, text, light, dark }: Palette): string {
  const both = (name: keyof typeof light) => `light-dark(${light[name]}, ${dark[name]})`;
  return `:root {
  --accent: ${both('accent')};
  --accent-tint: ${both('tint')};
  --accent-edge: ${both('edge')};
  --accent-fill: ${fill};
  --accent-fill-hover: ${hover};
  --on-accent: ${text};
}
`;
}

const getChannels = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

function getLuminance(color: string): number {
  const [red, green, blue] = getChannels(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function mix(color: string, other: string, share: number): string {
  const others = getChannels(other);
  const mixed = getChannels(color).map((channel, at) =>
    Math.round(channel + (others[at]! - channel) * share)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${mixed.join('')}`;
}
